//! The rooms of the runtime whose files still need each other in a circle.

/// Rooms that have a circle of files inside. The list may only become shorter: no circle may begin in another room, and
/// a room whose last circle is gone must leave the list.
pub const CIRCULAR: [&str; 2] = ["objects", "team"];

/// The circles of `circles` that must not be: across folders, or in a folder that is not `listed`. Then the folders
/// that are listed without need. `folder` gives a file's folder.
pub fn check<'a>(
    circles: Vec<Vec<&'a str>>,
    folder: impl Fn(&str) -> Option<&'a str>,
    listed: &[&'a str],
) -> (Vec<Vec<&'a str>>, Vec<&'a str>) {
    let mut seen = Vec::new();
    let mut wrong = Vec::new();
    for circle in circles {
        let first = folder(circle[0]).filter(|first| listed.contains(first));
        match first.filter(|first| circle.iter().all(|file| folder(file) == Some(*first))) {
            Some(first) => seen.push(first),
            None => wrong.push(circle),
        }
    }
    (wrong, listed.iter().copied().filter(|folder| !seen.contains(folder)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(file: &str) -> Option<&'static str> {
        ["team", "task"].into_iter().find(|folder| file.starts_with(folder))
    }

    #[test]
    fn a_listed_room_may_have_circles_inside() {
        let circles = vec![vec!["team/a.rs", "team/b.rs"], vec!["task/a.rs", "task/b.rs"]];
        assert_eq!(check(circles.clone(), folder, &["task", "team"]), (vec![], vec![]));
        assert_eq!(check(circles, folder, &["team"]), (vec![vec!["task/a.rs", "task/b.rs"]], vec![]));
    }

    #[test]
    fn no_circle_may_lie_across_folders() {
        for across in [vec!["task/a.rs", "team/b.rs"], vec!["team/b.rs", "other.rs"], vec!["other.rs", "team/b.rs"]] {
            let (wrong, needless) = check(vec![across.clone()], folder, &["task", "team"]);
            assert_eq!((wrong, needless), (vec![across], vec!["task", "team"]));
        }
    }

    #[test]
    fn a_folder_without_circles_must_leave_the_list() {
        assert_eq!(check(vec![vec!["team/a.rs", "team/b.rs"]], folder, &["task", "team"]).1, ["task"]);
    }
}

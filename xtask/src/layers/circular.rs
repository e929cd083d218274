//! The rooms of the runtime whose files still need each other in a circle.

/// Rooms that have a circle of files inside. The list may only become shorter: no circle may begin in another room, and
/// a room whose last circle is gone must leave the list.
pub const CIRCULAR: [&str; 8] = ["acc", "allocators", "device", "icv", "mem", "objects", "place", "team"];

/// Of `circles`, those that may not be: across rooms, and in a room that is not `listed`. And the rooms that are listed
/// without need. `room` gives a file's room.
pub fn check<'a>(
    circles: Vec<Vec<&'a str>>,
    room: impl Fn(&str) -> Option<&'a str>,
    listed: &[&'a str],
) -> (Vec<Vec<&'a str>>, Vec<&'a str>) {
    let mut seen = Vec::new();
    let mut wrong = Vec::new();
    for circle in circles {
        let first = room(circle[0]).filter(|first| listed.contains(first));
        match first.filter(|first| circle.iter().all(|file| room(file) == Some(*first))) {
            Some(first) => seen.push(first),
            None => wrong.push(circle),
        }
    }
    (wrong, listed.iter().copied().filter(|room| !seen.contains(room)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(file: &str) -> Option<&'static str> {
        ["team", "task"].into_iter().find(|room| file.starts_with(room))
    }

    #[test]
    fn a_listed_room_may_have_circles_inside() {
        let circles = vec![vec!["team/a.rs", "team/b.rs"], vec!["task/a.rs", "task/b.rs"]];
        assert_eq!(check(circles.clone(), room, &["task", "team"]), (vec![], vec![]));
        assert_eq!(check(circles, room, &["team"]), (vec![vec!["task/a.rs", "task/b.rs"]], vec![]));
    }

    #[test]
    fn no_circle_may_lie_across_rooms() {
        for across in [vec!["task/a.rs", "team/b.rs"], vec!["team/b.rs", "other.rs"], vec!["other.rs", "team/b.rs"]] {
            let (wrong, needless) = check(vec![across.clone()], room, &["task", "team"]);
            assert_eq!((wrong, needless), (vec![across], vec!["task", "team"]));
        }
    }

    #[test]
    fn a_room_without_circles_must_leave_the_list() {
        assert_eq!(check(vec![vec!["team/a.rs", "team/b.rs"]], room, &["task", "team"]).1, ["task"]);
    }
}

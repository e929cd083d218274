//! The crates of the workspace, by the files that are the roots of their modules.

use std::collections::BTreeSet;
use std::path::Path;

/// The root files of every member in the workspace at `root`, as paths from `root`: libraries, programs, tests,
/// examples.
pub fn roots(root: &Path) -> Result<Vec<String>, String> {
    let mut found = BTreeSet::new();
    for member in members(&read(&root.join("Cargo.toml"))?) {
        let manifest = read(&root.join(&member).join("Cargo.toml"))?;
        let named = values(&manifest, "path").filter(|path| path.ends_with(".rs"));
        let mut paths: Vec<String> = named.map(|path| format!("{member}/{path}")).collect();
        paths.extend(["src/lib.rs", "src/main.rs", "build.rs"].map(|path| format!("{member}/{path}")));
        for folder in ["src/bin", "tests", "examples", "benches"] {
            let Ok(entries) = std::fs::read_dir(root.join(&member).join(folder)) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                paths.push(match name.ends_with(".rs") {
                    true => format!("{member}/{folder}/{name}"),
                    false => format!("{member}/{folder}/{name}/main.rs"),
                });
            }
        }
        found.extend(paths.into_iter().filter(|path| root.join(path).is_file()));
    }
    Ok(found.into_iter().collect())
}

/// The members that the workspace's manifest lists.
fn members(manifest: &str) -> Vec<String> {
    let list = manifest.split_once("members").and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The values of the lines `key = "value"`.
fn values<'a>(manifest: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    manifest.lines().filter_map(move |line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == key).then(|| value.trim().trim_matches('"'))
    })
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_paths_are_read_from_manifests() {
        assert_eq!(members("[workspace]\nmembers = [\"a\",\n  \"b/c\"]\nother = [\"d\"]\n"), ["a", "b/c"]);
        let manifest = "[[bin]]\nname = \"x\"\npath = \"src/x.rs\"\n";
        assert_eq!(values(manifest, "path").collect::<Vec<_>>(), ["src/x.rs"]);
    }
}

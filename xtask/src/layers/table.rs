//! The table of layers in ARCHITECTURE.md, and which layer may use which.

/// The heading above the table.
const HEADING: &str = "## Layers";

/// The table of layers, top layer first.
#[derive(Debug)]
pub struct Table {
    pub layers: Vec<Layer>,
}

/// One row.
#[derive(Debug)]
pub struct Layer {
    pub name: String,
    /// Folders and files under the crate's `src`, without a slash at the end; a folder may use the folders after it.
    pub folders: Vec<String>,
    /// The layers that this layer may use, by their place in the table.
    may_use: Vec<usize>,
}

/// A file's place in the table: its row, and its folder in the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub layer: usize,
    pub folder: usize,
}

impl Table {
    /// The table in the text of ARCHITECTURE.md. `None` where no such table stands; otherwise the table, and what is
    /// wrong with the table as `line: what`. `exists` says whether a folder or file lies under the crate's `src`.
    pub fn read(text: &str, exists: impl Fn(&str) -> bool) -> Option<(Table, Vec<String>)> {
        let mut wrong = Vec::new();
        let mut rows = Vec::new();
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let lines = lines.skip_while(|(_, line)| *line != HEADING).skip(1).take_while(|(_, l)| !l.starts_with("## "));
        for (number, row) in lines.filter(|(_, l)| l.starts_with('|') && !l.starts_with("| -")).skip(1) {
            let cells: Vec<&str> = row.trim().trim_matches('|').split('|').map(str::trim).collect();
            match cells[..] {
                [layer, folders, _, uses] => rows.push((number, layer, folders, uses)),
                _ => wrong.push(format!("{number}: {} columns in the table of layers", cells.len())),
            }
        }
        if rows.is_empty() && wrong.is_empty() {
            return None;
        }
        let names: Vec<String> = rows.iter().map(|(_, layer, ..)| plain(layer)).collect();
        let mut layers: Vec<Layer> = Vec::new();
        for (index, (number, _, folders, uses)) in rows.iter().enumerate() {
            let folders: Vec<String> =
                folders.split('`').skip(1).step_by(2).map(|folder| folder.trim_end_matches('/').to_owned()).collect();
            for (at, folder) in folders.iter().enumerate() {
                if !exists(folder) {
                    wrong.push(format!("{number}: there is no {folder}"));
                }
                if layers.iter().any(|layer| layer.folders.contains(folder)) || folders[..at].contains(folder) {
                    wrong.push(format!("{number}: {folder} stands in the table twice"));
                }
            }
            let mut may_use = Vec::new();
            match plain(uses).as_str() {
                "all below" => may_use.extend(index + 1..rows.len()),
                "" | "-" | "–" | "—" | "nothing" | "none" => {}
                uses => {
                    for name in uses.split(',').map(plain) {
                        match names.iter().position(|other| *other == name) {
                            Some(other) if other > index => may_use.push(other),
                            Some(_) => wrong.push(format!("{number}: {} may not look up to {name}", names[index])),
                            None => wrong.push(format!("{number}: there is no layer {name}")),
                        }
                    }
                }
            }
            layers.push(Layer { name: names[index].clone(), folders, may_use });
        }
        Some((Table { layers }, wrong))
    }

    /// The place of `file`, a path under the crate's `src`: the folder that names most of the path.
    pub fn place(&self, file: &str) -> Option<Place> {
        let holds = |folder: &str| {
            file == folder || file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/') || rest == ".rs")
        };
        let mut best: Option<(usize, Place)> = None;
        for (layer, row) in self.layers.iter().enumerate() {
            for (folder, name) in row.folders.iter().enumerate() {
                if holds(name) && best.is_none_or(|(length, _)| name.len() > length) {
                    best = Some((name.len(), Place { layer, folder }));
                }
            }
        }
        best.map(|(_, place)| place)
    }

    /// What the table says against a file at `from` that imports a file at `to`.
    pub fn against(&self, from: Place, to: Place) -> Option<String> {
        let (above, below) = (&self.layers[from.layer], &self.layers[to.layer]);
        if from.layer == to.layer {
            return (to.folder < from.folder).then(|| {
                format!(
                    "layer {}: {} imports {} above it",
                    above.name, above.folders[from.folder], below.folders[to.folder]
                )
            });
        }
        (!above.may_use.contains(&to.layer)).then(|| format!("layer {} imports layer {}", above.name, below.name))
    }
}

/// A cell without its marks, and a layer's name without its number.
fn plain(cell: &str) -> String {
    let text = cell.replace(['`', '*'], "");
    text.trim().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['.', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A\n\n## Layers\n\nWords.\n\n| layer | folders and files | what | may use |\n| --- | --- | --- | \
                        --- |\n| 3 entry points | `abi` | x | all below |\n| behaviour | `team/`, `task` | y | ground |\n| \
                        objects | `task/words.rs` | y | all below |\n| ground | `arch`, `call.rs` | z | nothing |\n\n## B\n";

    #[test]
    fn a_file_is_in_the_room_that_names_most_of_its_path() {
        let (table, wrong) = Table::read(TEXT, |_| true).unwrap();
        assert!(wrong.is_empty(), "{wrong:?}");
        let place = |file| table.place(file).map(|place| (place.layer, place.folder));
        assert_eq!(place("team/mod.rs"), Some((1, 0)));
        assert_eq!(place("team.rs"), Some((1, 0)));
        assert_eq!(place("task/deque/a.rs"), Some((1, 1)));
        assert_eq!(place("task/words.rs"), Some((2, 0)));
        assert_eq!(place("tasks.rs"), None);
    }

    #[test]
    fn arrows_up_and_past_the_list_are_against_the_table() {
        let (table, _) = Table::read(TEXT, |_| true).unwrap();
        let against = |from, to| table.against(table.place(from).unwrap(), table.place(to).unwrap());
        assert_eq!(against("abi/a.rs", "arch/b.rs"), None);
        assert_eq!(against("team/a.rs", "task/b.rs"), None);
        assert_eq!(against("task/b.rs", "team/a.rs").unwrap(), "layer behaviour: task imports team above it");
        assert_eq!(against("team/a.rs", "task/words.rs").unwrap(), "layer behaviour imports layer objects");
        assert_eq!(against("call.rs", "abi/a.rs").unwrap(), "layer ground imports layer entry points");
    }

    #[test]
    fn what_is_wrong_with_a_table_is_told() {
        assert!(Table::read("# A\n\n## Other\n", |_| true).is_none());
        let text = TEXT.replace("| ground | `arch", "| grund | `arch").replace("`team/`", "`abi`");
        let (_, wrong) = Table::read(&text, |folder| folder != "arch").unwrap();
        assert_eq!(
            wrong,
            ["10: abi stands in the table twice", "10: there is no layer ground", "12: there is no arch"]
        );
        let (_, wrong) = Table::read(&TEXT.replace("| nothing |", "| behaviour |"), |_| true).unwrap();
        assert_eq!(wrong, ["12: ground may not look up to behaviour"]);
    }
}

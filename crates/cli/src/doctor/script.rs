//! Scripts: the program that a shell script starts in its place, and the modules that a Python script imports, as far
//! as their texts say.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

use super::findings::{Findings, some_of};
use super::package;
use super::shell::{self, Word};
use crate::program::Program;

/// How much of a script is read.
const MOST: u64 = 1 << 20;
/// How many programs of one script are followed.
const PROGRAMS: usize = 4;

/// Commands of the shell itself, and programs that start nothing.
const OWN: [&str; 22] = [
    "set", "shift", "for", "case", "[", "[[", "test", "echo", "printf", "eval", "cd", "return", "exit", "source", ".",
    "unset", "trap", "read", "getopts", "getopt", "basename", "dirname",
];
/// Programs that start another program. The first word that is neither an option nor a variable names it.
const CARRIERS: [&str; 4] = ["env", "command", "nohup", "setsid"];

/// What a shell script starts.
pub struct Started {
    pub program: Program,
    /// A script that the program, an interpreter, executes; or the module behind `-m`.
    pub script: Option<String>,
    pub module: Option<String>,
}

/// What the text of a shell script says.
#[derive(Default)]
pub struct Wrapper {
    pub starts: Vec<Started>,
    /// Programs that cannot be named before the script runs, as it writes them.
    pub unknown: BTreeSet<String>,
    /// What keeps a preloaded runtime out of what the script starts.
    pub keeps_out: Option<String>,
}

/// True for the usual names of shells.
pub fn is_shell(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    ["sh", "bash", "dash", "ksh", "mksh", "zsh", "ash"].contains(&name)
}

/// A script's text; none if the file is not text.
fn text_of(script: &Path) -> Option<String> {
    let mut text = String::new();
    if !script.is_file() {
        return None;
    }
    std::fs::File::open(script).ok()?.take(MOST).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The programs that a shell script starts by `exec`, or with its own arguments.
pub fn read_wrapper(script: &Path) -> Wrapper {
    let mut wrapper = Wrapper::default();
    for words in shell::commands(&text_of(script).unwrap_or_default(), script) {
        wrapper.keeps_out = wrapper.keeps_out.take().or_else(|| keeps_out(&words));
        let Some(words) = started(&words) else { continue };
        match words[0].text.as_deref().map(|name| Program::find(OsStr::new(name))) {
            Some(Ok(program)) => {
                let known = |start: &Started| start.program.path == program.path;
                if !wrapper.starts.iter().any(known) && wrapper.starts.len() < PROGRAMS {
                    wrapper.starts.push(start(program, &words[1..]));
                }
            }
            // The word names a function of the script, or a file that does not exist.
            Some(Err(_)) if !words[0].raw.contains(['/', '$']) => {}
            _ => {
                wrapper.unknown.insert(words[0].raw.clone());
            }
        }
    }
    wrapper
}

/// The words from the program's name on, if a command starts one in the script's place.
fn started(words: &[Word]) -> Option<&[Word]> {
    let mut words = without_definitions(words);
    let by_exec = words.first()?.text.as_deref() == Some("exec");
    if by_exec {
        words = after_options(&words[1..], &["-a"]);
    } else if !words.iter().any(|word| word.arguments) || words[0].arguments {
        return None;
    }
    while let Some(name) = words.first().and_then(|word| word.text.as_deref())
        && CARRIERS.contains(&name)
    {
        words = without_definitions(after_options(&words[1..], &["-u", "-C", "-S"]));
    }
    let name = words.first()?;
    let fits = !name.arguments && !name.text.as_deref().is_some_and(|name| name.is_empty() || OWN.contains(&name));
    fits.then_some(words)
}

fn without_definitions(words: &[Word]) -> &[Word] {
    &words[words.iter().take_while(|word| word.definition().is_some()).count()..]
}

/// The words after the options. The options in `with_value` take the next word as their value.
fn after_options<'a>(mut words: &'a [Word], with_value: &[&str]) -> &'a [Word] {
    while let Some((first, rest)) = words.split_first()
        && first.raw.starts_with('-')
    {
        words = rest.get(usize::from(with_value.contains(&first.raw.as_str()))..).unwrap_or_default();
    }
    words
}

fn start(program: Program, words: &[Word]) -> Started {
    let module = words.windows(2).find(|pair| pair[0].raw == "-m").and_then(|pair| pair[1].text.clone());
    let script = after_options(words, &["-m", "-X", "-W"]).first().and_then(|word| word.text.clone());
    let script = script.filter(|name| module.is_none() && Path::new(name).is_file());
    Started { program, script, module }
}

/// Whether a command takes the preload away from the programs that come after it, and how.
fn keeps_out(words: &[Word]) -> Option<String> {
    let name = words.first()?.raw.as_str();
    let sets = |word: &&Word| {
        word.definition().is_some_and(|(name, _)| name == "LD_PRELOAD") && !word.raw.contains("$LD_PRELOAD")
    };
    let unsets = |word: &Word| word.raw == "LD_PRELOAD";
    if let Some(word) = words.iter().find(sets).filter(|word| !word.raw.contains("${LD_PRELOAD")) {
        return Some(format!("the script sets {}", word.raw));
    }
    let cleared = |word: &Word| word.raw == "-i" || word.raw == "--ignore-environment" || word.raw == "-";
    let env = words.iter().position(|word| word.raw == "env" || word.raw.ends_with("/env"));
    match env {
        Some(at) if words[at + 1..].iter().take_while(|word| word.raw.starts_with('-')).any(cleared) => {
            Some("the script empties the environment (env -i)".to_owned())
        }
        _ => (name == "unset" && words.iter().any(unsets)).then(|| "the script unsets LD_PRELOAD".to_owned()),
    }
}

/// Lists the modules that a Python script imports itself. What these modules import is known only at run time.
pub fn imports(script: &Path, findings: &mut Findings) {
    let modules = text_of(script).map(|text| imported(&text)).unwrap_or_default();
    if !modules.is_empty() {
        findings
            .line("imports", format_args!("{} (what these import, nobody knows before it runs)", some_of(modules, 12)));
    }
}

/// The packages that a Python text names in its import statements.
fn imported(text: &str) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for line in text.lines().map(str::trim) {
        let named = match (line.strip_prefix("from "), line.strip_prefix("import ")) {
            (Some(rest), _) if rest.contains(" import ") => rest.split(' ').next().unwrap_or_default(),
            (_, Some(rest)) => rest,
            _ => continue,
        };
        for name in named.split(',') {
            let name = name.split([' ', '.', ';', '#']).find(|part| !part.is_empty()).unwrap_or_default();
            let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
            if is_name && !named.starts_with('.') {
                modules.insert(name.to_owned());
            }
        }
    }
    modules
}

/// Whether a program that a script starts is a Python interpreter.
pub fn is_python(program: &Program) -> bool {
    program.chain.iter().any(|path| package::is_python(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapper(text: &str) -> Wrapper {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("wrap");
        std::fs::write(&script, text).unwrap();
        read_wrapper(&script)
    }

    fn names(text: &str) -> Vec<String> {
        wrapper(text).starts.iter().map(|start| start.program.path.display().to_string()).collect()
    }

    #[test]
    fn what_a_script_starts_is_known_by_exec_or_by_the_arguments() {
        assert_eq!(names("exec /bin/ls -l\n"), ["/bin/ls"]);
        assert_eq!(names("A=1 /bin/ls \"$@\"\necho done\n"), ["/bin/ls"]);
        assert_eq!(names("exec -a name env -u X A=b /bin/ls\n"), ["/bin/ls"]);
        assert_eq!(names("if [ x ]; then exec /bin/ls; else exec /bin/cat ${1+\"$@\"}; fi\n"), ["/bin/ls", "/bin/cat"]);
        assert_eq!(names("set -- \"$@\"\nfor x in \"$@\"; do echo $x; done\nrun() { \"$@\"; }\nexec 3>&1\n"), [""; 0]);
        assert_eq!(wrapper("exec \"$1/app\"\n").unknown.into_iter().collect::<Vec<_>>(), ["\"$1/app\""]);
    }

    #[test]
    fn what_takes_the_preload_away_is_named() {
        let keeps = |text| wrapper(text).keeps_out.unwrap_or_default();
        assert_eq!(keeps("export LD_PRELOAD=/x.so\n"), "the script sets LD_PRELOAD=/x.so");
        assert_eq!(keeps("unset LD_PRELOAD\n"), "the script unsets LD_PRELOAD");
        assert_eq!(keeps("exec env -i /bin/ls\n"), "the script empties the environment (env -i)");
        assert_eq!(keeps("LD_PRELOAD=/x.so:$LD_PRELOAD exec /bin/ls -i\nLD_PRELOAD=\"${LD_PRELOAD}:y\"\n"), "");
    }

    #[test]
    fn modules_of_a_python_script() {
        let text = "import re, os.path as p\nfrom sklearn.cli import main\nfrom . import x\n  import numpy # why\nimportant = 1\n";
        assert_eq!(imported(text).into_iter().collect::<Vec<_>>(), ["numpy", "os", "re", "sklearn"]);
    }
}

//! Prints `docs/ompt-events.md`: what `ompt_set_callback` answers for each event, and what each compiler hides
//! (OpenMP 5.1 §4.6.1.3). `cargo xtask generate` puts the output in its place.

mod inexact;
mod later;

use ferromp::ompt::answers::{Row, Seen, TABLE, must_be_always};
use inexact::INEXACT;
use later::LATER;

const OPENING: &str = "\
# What can be seen of each event

A tool registers for an event by `ompt_set_callback`. The answer says how much of the event the tool will see
(OpenMP 5.1, section 4.6.1.3). A compiler may expand a construct in the program itself, without a call into the runtime.
No runtime can report such a construct.

One process can hold programs of both kinds of compilers, so the answer is the lesser of the two. The table lists both,
for tools that know which compiler made the program. \"where the program calls the runtime\" means that the answer is
`ompt_set_always`, as LLVM's runtime answers. For any other answer Archer prints a line to the standard output of each
program.

For some events the specification allows no answer but `ompt_set_always` (section 4.2.4, table 4.2), and tools rely on
this answer. Constructs that a compiler hides all the same are listed below, under \"What is seen, but incomplete\".
These events are: @.

clang stands for clang, flang and icx; gcc stands for gcc and gfortran. Written by `cargo xtask generate` from
`crates/runtime/src/ompt/answers.rs`.

";

fn main() {
    let must: Vec<String> = TABLE
        .iter()
        .filter(|row| must_be_always(row.event))
        .map(|row| format!("`{}`", short(row.event.name().unwrap_or_default())))
        .collect();
    print!("{}", OPENING.replace('@', &must.join(", ")));
    println!("| number | event | answer | clang | gcc |");
    println!("| --- | --- | --- | --- | --- |");
    for row in &TABLE {
        let (name, answer) = (row.event.name().unwrap_or_default(), row.answer().name().unwrap_or_default());
        let short = short(name);
        println!("| {} | `{short}` | `{answer}` | {} | {} |", row.event.0, level(row.clang), level(row.gcc));
    }
    println!("\n## What is hidden, and why\n");
    for row in TABLE.iter().filter(|row| has_reason(row)) {
        let short = short(row.event.name().unwrap_or_default());
        match (reason(row.clang), reason(row.gcc)) {
            (Some(why), Some(_)) if row.clang == row.gcc => println!("- `{short}`: {why}."),
            (clang, gcc) => {
                for (compiler, why) in [("clang", clang), ("gcc", gcc)] {
                    if let Some(why) = why {
                        println!("- `{short}`, {compiler}: {why}.");
                    }
                }
            }
        }
    }
    println!("\n## What is seen, but incomplete\n");
    for (event, compiler, what) in INEXACT {
        println!("- `{}`, {compiler}: {what}.", short(event.name().unwrap_or_default()));
    }
    print!("{AFTER_5_1}");
    for (names, version, when) in LATER {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        println!("| {} | {version} | {when} |", names.join(", "));
    }
}

const AFTER_5_1: &str = "
## What OpenMP 5.2 and 6.0 have added

`ompt_start_tool` receives 202011: the interface of OpenMP 5.1 is complete, the interfaces of later versions are not.
Additions of later versions have numbers that 5.1 leaves free. A tool may meet them although the runtime does not claim
the later version. All additions are in `include/omp-tools.h`, and `ompt_enumerate_states` lists the later states as
well.

| what | since | when a tool meets it |
| --- | --- | --- |
";

fn short(name: &'static str) -> &'static str {
    name.trim_start_matches("ompt_callback_")
}

fn level(seen: Seen) -> &'static str {
    match seen {
        Seen::Always => "always",
        Seen::WhereCalled(_) => "where the program calls the runtime",
        Seen::Paired(_) => "sometimes, in pairs",
        Seen::Sometimes(_) => "sometimes",
        Seen::Never(_) => "never",
    }
}

fn reason(seen: Seen) -> Option<&'static str> {
    match seen {
        Seen::Always => None,
        Seen::WhereCalled(why) | Seen::Paired(why) | Seen::Sometimes(why) | Seen::Never(why) => Some(why),
    }
}

fn has_reason(row: &Row) -> bool {
    reason(row.clang).is_some() || reason(row.gcc).is_some()
}

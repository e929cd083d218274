//! A summary as text: a header, and tables laid out for the width of a terminal or of a file.

mod clocks;
mod diff;
mod findings;
mod header;
mod layout;
mod processes;
mod ranks;
mod scaling;
mod style;
mod tables;
#[cfg(test)]
mod tests;
mod warnings;
mod what_if;

use crate::analysis::Summary;
use crate::reader::Trace;
use crate::symbols::Symbolizer;
pub use crate::units::duration;
pub use diff::{diff, slower};
use layout::wrapped;
pub use processes::processes;
pub use ranks::ranks;
pub use scaling::scaling;
pub use style::{Choice, Style};
pub use tables::{Source, TABLES, Table};
pub use warnings::warnings;
pub use what_if::what_if;

/// The whole report of one trace, several lines, ending with a line feed.
pub fn text(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer, style: &Style) -> String {
    let mut out = header::header(&trace.meta, &trace.selection, summary, symbols, style);
    for line in warnings(trace, summary) {
        out += &style.warning(&line);
    }
    if summary.no_openmp {
        out += &style.warning(nothing(trace, summary));
        return out;
    }
    out += &findings::text(trace, summary, symbols, style);
    out += &tables(&mut Source { trace, summary, symbols }, style);
    for line in &symbols.damage {
        out += &style.warning(&format!("damaged: {line}"));
    }
    for problem in &symbols.problems {
        out += &style.warning(problem);
    }
    out
}

/// The tables that the style asks for, each with a blank line above. The brief form ends with a line that names the
/// flags of the others.
fn tables(source: &mut Source<'_>, style: &Style) -> String {
    let (mut out, mut others) = (String::new(), Vec::new());
    for table in TABLES {
        let rows = (table.rows)(source.summary);
        if style.shows(table.name, table.brief, rows == 0) {
            out += &format!("\n{}", (table.sheet)(source, style.most_rows()).draw(style));
        } else if rows > 0 {
            others.push(format!("--{} ({rows} row{})", table.name, if rows == 1 { "" } else { "s" }));
        }
    }
    if style.choice == Choice::Brief && !others.is_empty() {
        out += &format!("\n{}", wrapped(&format!("Other tables: {}; or --all.", others.join(", ")), 0, style.width));
    }
    out
}

/// Why the trace has no events of constructs. The text claims that the program had none only if that is certain.
fn nothing(trace: &Trace, summary: &Summary) -> &'static str {
    if !trace.all_damage().is_empty() {
        "no OpenMP events: nothing can be read of what the program did"
    } else if summary.lost > 0 || trace.meta.missed_threads > 0 {
        "no OpenMP events: nothing could be recorded of what the program did"
    } else if !trace.selection.is_all() {
        "no OpenMP events: the program has used no OpenMP construct before the end of this part"
    } else if !trace.meta.finished {
        "no OpenMP events: the program has used no OpenMP construct before the trace's end"
    } else {
        "no OpenMP events: the program started the runtime but used no OpenMP construct"
    }
}

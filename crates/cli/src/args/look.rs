//! How a report looks: the flags of its tables, its width, its rows and its colours. There is a flag for each table
//! that reports have.

use clap::{Arg, ArgAction, ArgMatches, Command, ValueEnum};
use console::Term;
use ferromp_trace::report::{Choice, Style, TABLES};

/// The narrowest and the widest report.
const WIDTHS: std::ops::RangeInclusive<u64> = 40..=10_000;
/// The flag for all tables.
const ALL: &str = "all";

/// The tables that the command line asks for.
#[derive(Clone, Default)]
pub struct Tables(Choice);

/// Options of a report as text.
#[derive(clap::Args, Clone, Default)]
pub struct Look {
    /// Tables to show.
    #[command(flatten)]
    tables: Tables,
    /// Rows of a table [default: 8, or all with a flag of a table]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Tables")]
    rows: Option<u32>,
    /// Width and colours.
    #[command(flatten)]
    form: Form,
}

/// Options of any text: its width and its colours.
#[derive(clap::Args, Clone, Default)]
pub struct Form {
    /// Longest line [default: COLUMNS, or the terminal's width, or 120]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(WIDTHS))]
    width: Option<u64>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On terminals, unless `NO_COLOR` or `CLICOLOR` forbid them.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Look {
    /// The style of a report that goes to `term`, which may be no terminal.
    pub fn style(&self, term: &Term) -> Style {
        let (rows, choice) = (self.rows.map(|rows| rows as usize), self.tables.0.clone());
        Style { rows, choice, ..self.form.style(term) }
    }
}

impl Form {
    /// The style of a text that goes to `term`, which may be no terminal.
    pub fn style(&self, term: &Term) -> Style {
        let stderr = matches!(term.target(), console::TermTarget::Stderr);
        let color = match self.color {
            Color::Auto if stderr => console::colors_enabled_stderr(),
            Color::Auto => console::colors_enabled(),
            Color::Always => true,
            Color::Never => false,
        };
        let asked = self.width.or_else(|| std::env::var("COLUMNS").ok()?.parse().ok().filter(|n| WIDTHS.contains(n)));
        let width = asked.map(|width| width as usize).or_else(|| term.size_checked().map(|(_, width)| width.into()));
        let form = width.map_or_else(Style::plain, Style::terminal);
        Style { color, ..form }
    }
}

impl clap::FromArgMatches for Tables {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Tables, clap::Error> {
        let only: Vec<&str> = TABLES.iter().map(|table| table.name).filter(|name| matches.get_flag(name)).collect();
        Ok(Tables(match only.is_empty() {
            _ if matches.get_flag(ALL) => Choice::All,
            true => Choice::Brief,
            false => Choice::Only(only),
        }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Tables::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Tables {
    fn augment_args(command: Command) -> Command {
        let flag = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name).help(help).action(ArgAction::SetTrue).help_heading("Tables")
        };
        let tables = TABLES.iter().map(|table| flag(table.name, table.help));
        command.args(tables).arg(flag(ALL, "All tables that have rows"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Tables::augment_args(command)
    }
}

//! The tables and their columns. `docs/tables.md` has the same list; a test compares both.

use arrow_schema::{DataType, Field, Schema};
use std::sync::Arc;

/// What a column holds. All of it may be null, except in columns of [`Column::is_always_there`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A 32-bit number.
    Int,
    /// A 64-bit number: times are nanoseconds.
    Long,
    /// UTF-8.
    Text,
    /// A list of texts.
    Texts,
    /// True or false.
    Bool,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub of: Type,
    /// Whether no row lacks it.
    pub is_always_there: bool,
}

/// A table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The name of its folder.
    pub name: &'static str,
    /// Its columns, besides `process`, which is the name of a folder.
    pub columns: &'static [Column],
}

impl Table {
    /// As Arrow and Parquet describe it.
    pub(crate) fn schema(&self) -> Arc<Schema> {
        let field = |column: &Column| Field::new(column.name, column.of.data(), !column.is_always_there);
        Arc::new(Schema::new(self.columns.iter().map(field).collect::<Vec<_>>()))
    }
}

impl Type {
    fn data(self) -> DataType {
        match self {
            Type::Int => DataType::Int32,
            Type::Long => DataType::Int64,
            Type::Text => DataType::Utf8,
            Type::Texts => DataType::new_list(DataType::Utf8, true),
            Type::Bool => DataType::Boolean,
        }
    }
}

const fn always(name: &'static str, of: Type) -> Column {
    Column { name, of, is_always_there: true }
}

const fn maybe(name: &'static str, of: Type) -> Column {
    Column { name, of, is_always_there: false }
}

const RANK: Column = maybe("rank", Type::Int);
const THREAD: Column = always("thread", Type::Int);
const PLACE: Column = maybe("place", Type::Text);
const FUNCTION: Column = maybe("function", Type::Text);
const FILE: Column = maybe("file", Type::Text);
const LINE: Column = maybe("line", Type::Int);
const REGION: Column = maybe("region", Type::Text);

/// The places of the tables in [`TABLES`].
pub(crate) const PROCESSES: usize = 0;
pub(crate) const THREADS: usize = 1;
pub(crate) const INTERVALS: usize = 2;
pub(crate) const WAITS: usize = 3;
pub(crate) const TASKS: usize = 4;
pub(crate) const DEPENDENCES: usize = 5;
pub(crate) const SAMPLES: usize = 6;

/// All tables.
pub const TABLES: [Table; 7] = [
    Table {
        name: "processes",
        columns: &[
            RANK,
            always("host", Type::Text),
            always("program", Type::Text),
            always("command", Type::Text),
            always("runtime", Type::Text),
            always("cpus", Type::Int),
            always("start_unix_ns", Type::Long),
            always("end_ns", Type::Long),
            maybe("sample_period_ns", Type::Long),
        ],
    },
    Table {
        name: "threads",
        columns: &[RANK, THREAD, always("tid", Type::Long), always("name", Type::Text), maybe("device", Type::Int)],
    },
    Table {
        name: "intervals",
        columns: &[
            RANK,
            maybe("thread", Type::Int),
            maybe("device", Type::Int),
            always("category", Type::Text),
            always("name", Type::Text),
            PLACE,
            FUNCTION,
            FILE,
            LINE,
            REGION,
            always("depth", Type::Int),
            always("begin_ns", Type::Long),
            always("end_ns", Type::Long),
            always("self_ns", Type::Long),
            maybe("number", Type::Long),
            maybe("amount", Type::Long),
        ],
    },
    Table {
        name: "waits",
        columns: &[
            RANK,
            THREAD,
            always("name", Type::Text),
            PLACE,
            FUNCTION,
            FILE,
            LINE,
            REGION,
            always("begin_ns", Type::Long),
            always("end_ns", Type::Long),
            always("waited_ns", Type::Long),
        ],
    },
    Table {
        name: "tasks",
        columns: &[
            RANK,
            always("task", Type::Long),
            maybe("parent", Type::Long),
            PLACE,
            FUNCTION,
            FILE,
            LINE,
            REGION,
            maybe("creator", Type::Int),
            maybe("thread", Type::Int),
            maybe("created_ns", Type::Long),
            maybe("begin_ns", Type::Long),
            maybe("end_ns", Type::Long),
            always("work_ns", Type::Long),
            always("parts", Type::Int),
            always("migrated", Type::Bool),
        ],
    },
    Table { name: "dependences", columns: &[RANK, always("source", Type::Long), always("sink", Type::Long)] },
    Table {
        name: "samples",
        columns: &[
            RANK,
            THREAD,
            always("ns", Type::Long),
            always("function", Type::Text),
            FILE,
            LINE,
            always("stack", Type::Texts),
            maybe("doing", Type::Text),
            PLACE,
            REGION,
        ],
    },
];

//! Rows under way: one builder a column.

use crate::schema::{Table, Type};
use arrow_array::builder::{BooleanBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::Schema;
use std::io::{Error, Result};
use std::sync::Arc;

/// So many rows go to a file at once.
pub const BATCH: usize = 1 << 15;

/// A value of a row.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    /// Of a number's column. A number that is too large becomes the largest.
    Number(Option<u64>),
    Text(Option<&'a str>),
    Texts(&'a [String]),
    Bool(bool),
}

impl From<u64> for Value<'_> {
    fn from(value: u64) -> Self {
        Value::Number(Some(value))
    }
}

impl From<u32> for Value<'_> {
    fn from(value: u32) -> Self {
        Value::Number(Some(u64::from(value)))
    }
}

impl From<Option<u64>> for Value<'_> {
    fn from(value: Option<u64>) -> Self {
        Value::Number(value)
    }
}

impl From<Option<u32>> for Value<'_> {
    fn from(value: Option<u32>) -> Self {
        Value::Number(value.map(u64::from))
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(value: &'a str) -> Self {
        Value::Text(Some(value))
    }
}

/// A text that an empty one stands for the lack of.
pub fn known(text: &str) -> Value<'_> {
    Value::Text(Some(text).filter(|text| !text.is_empty()))
}

enum Builder {
    Int(Int32Builder),
    Long(Int64Builder),
    Text(StringBuilder),
    Texts(ListBuilder<StringBuilder>),
    Bool(BooleanBuilder),
}

impl Builder {
    fn new(of: Type) -> Builder {
        match of {
            Type::Int => Builder::Int(Int32Builder::new()),
            Type::Long => Builder::Long(Int64Builder::new()),
            Type::Text => Builder::Text(StringBuilder::new()),
            Type::Texts => Builder::Texts(ListBuilder::new(StringBuilder::new())),
            Type::Bool => Builder::Bool(BooleanBuilder::new()),
        }
    }

    fn add(&mut self, value: Value<'_>) {
        match (self, value) {
            (Builder::Int(to), Value::Number(value)) => {
                to.append_option(value.map(|value| i32::try_from(value).unwrap_or(i32::MAX)));
            }
            (Builder::Long(to), Value::Number(value)) => {
                to.append_option(value.map(|value| i64::try_from(value).unwrap_or(i64::MAX)));
            }
            (Builder::Text(to), Value::Text(value)) => to.append_option(value),
            (Builder::Texts(to), Value::Texts(values)) => to.append_value(values.iter().map(Some)),
            (Builder::Bool(to), Value::Bool(value)) => to.append_value(value),
            _ => unreachable!("a row has the types of its table's columns"),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Builder::Int(of) => Arc::new(of.finish()),
            Builder::Long(of) => Arc::new(of.finish()),
            Builder::Text(of) => Arc::new(of.finish()),
            Builder::Texts(of) => Arc::new(of.finish()),
            Builder::Bool(of) => Arc::new(of.finish()),
        }
    }
}

/// Rows of one table.
pub struct Columns {
    schema: Arc<Schema>,
    builders: Vec<Builder>,
    rows: usize,
}

impl Columns {
    /// No rows yet.
    pub fn new(table: &Table) -> Columns {
        let builders = table.columns.iter().map(|column| Builder::new(column.of)).collect();
        Columns { schema: table.schema(), builders, rows: 0 }
    }

    /// Adds a row: a value for each column, in their order.
    pub fn add(&mut self, row: &[Value<'_>]) {
        debug_assert_eq!(row.len(), self.builders.len());
        for (builder, value) in self.builders.iter_mut().zip(row) {
            builder.add(*value);
        }
        self.rows += 1;
    }

    /// Whether a batch is complete.
    pub fn is_full(&self) -> bool {
        self.rows >= BATCH
    }

    /// Takes the rows so far.
    pub fn take(&mut self) -> Result<RecordBatch> {
        self.rows = 0;
        let columns = self.builders.iter_mut().map(Builder::finish).collect();
        RecordBatch::try_new(self.schema.clone(), columns).map_err(Error::other)
    }
}

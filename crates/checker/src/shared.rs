//! The process's model, behind its lock.

use crate::model::Model;
use spin::mutex::SpinMutex;
use std::sync::LazyLock;

/// A lock that yields rather than sleeps, so that the child of a fork can let go of it.
pub static MODEL: LazyLock<SpinMutex<Model, spin::Yield>> = LazyLock::new(|| SpinMutex::new(Model::new()));

//! The code that a sample was taken in, and its callers, as frames of a stack.

use crate::reader::Sample;
use crate::symbols::{Location, Symbolizer};
use std::rc::Rc;

/// A function on a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function of the source; else the symbol, the module in brackets, or the address.
    pub function: String,
    /// The address, which is looked up like a return address.
    pub address: u64,
    /// Whether the compiler has inlined the function into the frame before.
    pub inlined: bool,
    /// What is known about the address.
    pub location: Rc<Location>,
}

/// Makes the frames of samples.
pub struct Frames<'a>(&'a mut Symbolizer);

impl<'a> Frames<'a> {
    /// With the names of the trace that the samples are of.
    pub fn new(symbols: &'a mut Symbolizer) -> Frames<'a> {
        Frames(symbols)
    }

    /// The frames of a sample, the outermost first. An inlined function has a frame of its own.
    pub fn of(&mut self, sample: &Sample) -> Vec<Frame> {
        // Names of return addresses are those of the byte before.
        let addresses = sample.callers.iter().copied().chain([sample.address.wrapping_add(1)]);
        addresses.flat_map(|address| self.at(address)).collect()
    }

    fn at(&mut self, address: u64) -> Vec<Frame> {
        let location = self.0.locate(address);
        let innermost = function(&location);
        let around = location.inlined_into.iter().rev().cloned();
        let names = around.chain([innermost]).enumerate();
        let frame = |(index, function)| Frame { function, address, inlined: index > 0, location: location.clone() };
        names.map(frame).collect()
    }
}

fn function(location: &Location) -> String {
    let known = location.function.clone().or_else(|| location.symbol.clone());
    let module = || location.module.as_deref().map(|path| format!("[{}]", path.rsplit('/').next().unwrap_or(path)));
    known.or_else(module).unwrap_or_else(|| format!("{:#x}", location.address))
}

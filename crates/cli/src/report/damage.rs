//! What is wrong with a trace that can be read.

use ferromp_trace::reader::Trace;
use ferromp_trace::symbols::Symbolizer;

/// What of a trace could not be read or cannot be true, one line each. Complete when it has been analysed and its
/// places named.
pub fn damage(trace: &Trace, symbols: &Symbolizer) -> Vec<String> {
    trace.all_damage().into_iter().chain(symbols.damage.iter().cloned()).collect()
}

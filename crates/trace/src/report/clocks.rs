//! How well the clocks agree that place several processes beside each other.

use crate::analysis::Process;
use crate::units::duration;
use std::collections::BTreeSet;

/// One line about the clocks of processes on several hosts; nothing for processes that share a clock.
pub fn clocks(processes: &[Process]) -> Option<String> {
    let clocks = processes.iter().filter_map(|process| process.clocks.map(|(clocks, _)| clocks)).max();
    let error = processes.iter().map(|process| process.clocks.map(|(_, error)| error)).max().flatten();
    let all = processes.iter().all(|process| process.clocks.is_some());
    let hosts = processes.iter().map(|process| process.hostname.as_str()).collect::<BTreeSet<&str>>().len();
    match (clocks, error) {
        (Some(clocks), Some(error)) if all && clocks > 1 => {
            Some(format!("the clocks of {clocks} hosts agree within {}", duration(error)))
        }
        (Some(_), _) if all => None,
        _ if hosts > 1 => Some(format!(
            "the clocks of {hosts} hosts are the systems' own, and nobody has compared them: ferromp trace --clocks does"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_told_of_several_hosts() {
        let process = |hostname: &str, clocks| Process { hostname: hostname.to_owned(), clocks, ..Process::default() };
        assert_eq!(clocks(&[process("a", None), process("a", None)]), None);
        assert_eq!(clocks(&[process("a", Some((1, 0))), process("a", Some((1, 0)))]), None);
        let compared = [process("a", Some((2, 0))), process("b", Some((2, 3_100)))];
        assert_eq!(clocks(&compared).unwrap(), "the clocks of 2 hosts agree within 3.10 us");
        let own = clocks(&[process("a", Some((2, 0))), process("b", None)]).unwrap();
        assert!(own.starts_with("the clocks of 2 hosts are the systems' own"), "{own}");
    }
}

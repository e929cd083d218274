//! `OMP_THREADS_RESERVE`: threads that are reserved for teams and for free agents, from which
//! structured-thread-limit-var and free-agent-thread-limit-var follow (OpenMP 6.0, section 4.3.10).

use super::parse;
use crate::environment::{Reader, with_defaults};
use crate::scan::Scanner;
use std::fmt;

with_defaults! {
    /// Reserved threads, no more than thread-limit-var in all.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Reserve {
        pub structured: i32 = 1,
        /// The number of free agents, as soon as there are tasks for them.
        pub free_agent: i32 = 0,
    }
}

impl Reserve {
    /// structured-thread-limit-var: the number of the `limit` threads of a contention group that may be in teams, at
    /// least one.
    pub fn structured_limit(&self, limit: i32) -> u32 {
        limit.saturating_sub(self.free_agent).max(1) as u32
    }
}

impl fmt::Display for Reserve {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "structured({}),free_agent({})", self.structured, self.free_agent)
    }
}

/// The number of threads in a reservation.
#[derive(Clone, Copy, PartialEq)]
enum Amount {
    All,
    Of(i32),
}

/// Parses the reservations for teams and for free agents.
fn parse_text(text: &str) -> Option<[Option<Amount>; 2]> {
    let mut reserved = [None, None];
    if let Some(number) = parse::non_negative(text) {
        reserved[0] = Some(Amount::Of(number));
        return Some(reserved);
    }
    let mut scan = Scanner::new(text);
    let items = scan.list(",", |scan| {
        let which: usize = scan.word_of(&[("structured", 0), ("free_agent", 1)])?;
        let mut amount = Amount::All;
        if scan.eat("(") {
            scan.eat("+");
            amount = Amount::Of(scan.number()?);
            scan.eat(")").then_some(())?;
        }
        reserved[which].replace(amount).is_none().then_some(amount)
    })?;
    let fits = items.len() == 1 || !items.contains(&Amount::All);
    (fits && scan.at_end()).then_some(reserved)
}

/// The threads that the environment reserves of `limit` threads.
pub fn read(env: &mut Reader, limit: i32) -> Reserve {
    let default = Reserve::default();
    let what = "a number of threads, or reservations such as 'structured(2),free_agent(2)'";
    let Some([structured, free_agent]) = env.get("OMP_THREADS_RESERVE", what, &format!("'{default}'"), parse_text)
    else {
        return default;
    };
    let number = |amount: Option<Amount>, all: i32, default: i32| match amount {
        Some(Amount::All) => all,
        Some(Amount::Of(number)) => number,
        None => default,
    };
    let structured = number(structured, limit, default.structured).max(1);
    // At least one thread is in a team.
    let free_agent = match number(free_agent, limit, default.free_agent) {
        all if all == limit => limit - 1,
        some => some,
    };
    if i64::from(structured) + i64::from(free_agent) > i64::from(limit) {
        let what = format!("more than the {limit} threads of thread-limit-var; using '{default}'");
        env.complain("OMP_THREADS_RESERVE", &what);
        return default;
    }
    Reserve { structured, free_agent }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;

    /// What is reserved, and how many lines say why not.
    fn reserved(text: &str, limit: i32) -> (i32, i32, usize) {
        let env = Environment::of_text(&format!("OMP_THREADS_RESERVE={text}"));
        let mut reader = Reader::new(&env);
        let reserve = read(&mut reader, limit);
        (reserve.structured, reserve.free_agent, reader.notes.complaints.len())
    }

    #[test]
    fn the_forms_of_the_specification() {
        assert_eq!(reserved("4", 8), (4, 0, 0));
        assert_eq!(reserved("structured(4)", 8), (4, 0, 0));
        assert_eq!(reserved("structured", 8), (8, 0, 0));
        assert_eq!(reserved("free_agent", 8), (1, 7, 0));
        assert_eq!(reserved(" Free_Agent ( 2 ) , structured(2)", 8), (2, 2, 0));
        assert_eq!(reserved("0", 8), (1, 0, 0));
        assert_eq!(reserved("free_agent(8)", 8), (1, 7, 0));
        assert_eq!(reserved("free_agent(3)", i32::MAX), (1, 3, 0));
    }

    #[test]
    fn what_is_no_reservation_has_one_line() {
        for text in [
            "-1",
            "structured()",
            "structured(2",
            "agents(2)",
            "structured(1),structured(2)",
            "structured,free_agent(1)",
            ",",
        ] {
            assert_eq!(reserved(text, 8), (1, 0, 1), "{text}");
        }
        assert_eq!(reserved("structured(5),free_agent(4)", 8), (1, 0, 1));
    }

    #[test]
    fn teams_have_what_is_not_reserved_for_free_agents() {
        assert_eq!(Reserve { structured: 1, free_agent: 2 }.structured_limit(8), 6);
        assert_eq!(Reserve { structured: 1, free_agent: 9 }.structured_limit(2), 1);
    }
}

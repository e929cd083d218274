//! Numbers of ranks in words.

/// A text has at most this many ranges.
const MOST_RANGES: usize = 8;

/// Ranks in ascending order: `0-3, 7`. A text of many ranges ends with how many ranks are left out.
pub fn text(ranks: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &rank in ranks {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(rank) => *last = rank,
            _ => ranges.push((rank, rank)),
        }
    }
    let word = |(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}-{last}"),
    };
    let shown = ranges.iter().take(MOST_RANGES).map(word).collect::<Vec<String>>().join(", ");
    let left: u64 = ranges.iter().skip(MOST_RANGES).map(|(first, last)| u64::from(last - first) + 1).sum();
    if left == 0 { shown } else { format!("{shown} and {left} more") }
}

/// Ranks with the word in front: `rank 7`, `ranks 0-3, 7`.
pub fn named(ranks: &[u32]) -> String {
    format!("rank{} {}", if ranks.len() == 1 { "" } else { "s" }, text(ranks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_a_range() {
        assert_eq!(named(&[3]), "rank 3");
        assert_eq!(named(&[0, 1, 2, 3, 7]), "ranks 0-3, 7");
        assert_eq!(text(&[0, 1, u32::MAX - 1, u32::MAX]), "0, 1, 4294967294, 4294967295");
        let odd: Vec<u32> = (0..100).map(|rank| 2 * rank).collect();
        assert_eq!(text(&odd), "0, 2, 4, 6, 8, 10, 12, 14 and 92 more");
        assert_eq!(text(&[]), "");
    }
}

//! The results as one SVG: a panel a team size, a group of bars a construct, one bar a program, on a logarithmic scale.
//! A line shows the floor of the machine.

use crate::sample::Program;
use crate::stats::Row;
use std::fmt::Write;

const WIDTH: f64 = 1100.0;
const PANEL: f64 = 260.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 60.0;
/// Space below a panel's bars for the names.
const NAMES: f64 = 50.0;
const COLOURS: [&str; 4] = ["#c2410c", "#94a3b8", "#f59e0b", "#475569"];

/// Draws the rows; nanoseconds upwards.
pub fn svg(rows: &[Row], floor: Option<f64>) -> String {
    let mut teams: Vec<usize> = rows.iter().map(|row| row.threads).collect();
    teams.dedup();
    let scale = Scale::of(rows, floor);
    let height = TOP + PANEL * teams.len() as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"15\">Time of one construct (logarithmic; lower is better)</text>\n"
    );
    for (at, program) in Program::ALL.into_iter().enumerate() {
        let x = LEFT + 150.0 * at as f64;
        _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"32\" width=\"12\" height=\"12\" fill=\"{}\"/><text x=\"{}\" y=\"42\">{}</text>",
            COLOURS[at],
            x + 17.0,
            program.name()
        );
    }
    for (at, &threads) in teams.iter().enumerate() {
        let panel: Vec<&Row> = rows.iter().filter(|row| row.threads == threads).collect();
        draw_panel(&mut out, &panel, threads, TOP + PANEL * at as f64, &scale, floor);
    }
    out.push_str("</svg>\n");
    out
}

fn draw_panel(out: &mut String, rows: &[&Row], threads: usize, top: f64, scale: &Scale, floor: Option<f64>) {
    let bottom = top + PANEL - NAMES;
    for exponent in scale.low..=scale.high {
        let y = scale.y(10_f64.powi(exponent), top, bottom);
        _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#e2e8f0\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#475569\">{}</text>",
            WIDTH - 10.0,
            LEFT - 6.0,
            y + 4.0,
            power_of_ten(exponent)
        );
    }
    let group = (WIDTH - LEFT - 10.0) / rows.len() as f64;
    let bar = group * 0.8 / 4.0;
    for (at, row) in rows.iter().enumerate() {
        let x = LEFT + group * at as f64 + group * 0.1;
        for (which, &value) in row.medians.iter().enumerate() {
            let y = scale.y(value, top, bottom);
            _ = writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"><title>{} {value:.1} ns</title></rect>",
                x + bar * which as f64,
                bar - 1.0,
                bottom - y,
                COLOURS[which],
                Program::ALL[which].name()
            );
        }
        _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x + bar * 2.0,
            bottom + 16.0,
            row.construct
        );
    }
    if let Some(floor) = floor {
        let y = scale.y(floor, top, bottom);
        _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#0f766e\" stroke-dasharray=\"5 4\">\
             <title>a cache line to another CPU and back: {floor:.0} ns</title></line>",
            WIDTH - 10.0
        );
    }
    _ = writeln!(out, "<text x=\"{LEFT}\" y=\"{:.1}\" font-weight=\"bold\">threads: {threads}</text>", bottom + 34.0);
}

/// Powers of ten that hold all values.
struct Scale {
    low: i32,
    high: i32,
}

impl Scale {
    fn of(rows: &[Row], floor: Option<f64>) -> Scale {
        let values = rows.iter().flat_map(|row| row.medians).chain(floor).filter(|v| v.is_finite() && *v > 0.0);
        let (least, most) = values.fold((f64::MAX, f64::MIN_POSITIVE), |(low, high), v| (low.min(v), high.max(v)));
        let low = least.log10().floor().max(-3.0) as i32;
        Scale { low, high: (most.log10().ceil() as i32).max(low + 1) }
    }

    fn y(&self, value: f64, top: f64, bottom: f64) -> f64 {
        let part = (value.max(1e-9).log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        bottom - part.clamp(0.0, 1.0) * (bottom - top - 12.0)
    }
}

fn power_of_ten(exponent: i32) -> String {
    match exponent {
        ..0 => format!("{} ns", 10_f64.powi(exponent)),
        0..3 => format!("{} ns", 10_i64.pow(exponent as u32)),
        3..6 => format!("{} µs", 10_i64.pow(exponent as u32 - 3)),
        6..9 => format!("{} ms", 10_i64.pow(exponent as u32 - 6)),
        _ => format!("1e{exponent} ns"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Series;

    #[test]
    fn every_construct_and_team_is_in_the_picture() {
        let mut rows = Vec::new();
        for threads in [1, 2] {
            for construct in ["barrier", "task"] {
                let mut series = Series::new(construct, threads);
                series.samples = [vec![3.0], vec![300.0], vec![5.0], vec![1e5]];
                rows.push(Row::new(&series));
            }
        }
        let svg = svg(&rows, Some(140.0));
        assert_eq!(svg.matches("<title>ferromp (gcc)").count(), 4);
        assert!(svg.contains("threads: 1") && svg.contains("threads: 2") && svg.contains("100 µs"));
        assert!(!svg.contains("NaN"));
    }
}

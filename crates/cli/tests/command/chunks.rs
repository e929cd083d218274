//! `ferromp trace --chunks`: each chunk of a loop.

use crate::common;
use crate::schema::validated;

use std::path::Path;

/// A loop of 40 iterations in chunks of 4, of which the one with iteration 25 takes long.
const PROGRAM: &str = r#"
#include <omp.h>
static void spin(double s) { double end = omp_get_wtime() + s; while (omp_get_wtime() < end); }
int main(void) {
#pragma omp parallel for schedule(dynamic, 4) num_threads(2)
    for (int i = 0; i < 40; i++) spin(i == 25 ? 0.2 : 0.0002);
}
"#;

fn ferromp(folder: &Path, words: &[&str]) -> String {
    let done = common::ferromp(&common::prefix()).current_dir(folder).args(words).output().unwrap();
    assert!(done.status.success(), "{words:?}: {}", common::text(&done.stderr));
    common::text(&done.stdout)
}

#[test]
fn each_chunk_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    common::compile("gcc", folder, "app", PROGRAM, &[]);
    ferromp(folder, &["trace", "-q", "-o", "each", "--chunks", "./app"]);
    ferromp(folder, &["trace", "-q", "-o", "sums", "./app"]);
    let the_loop = |trace| {
        let document = validated(ferromp(folder, &["report", trace, "--format", "json"]).as_bytes());
        document["traces"][0]["loops"][0].clone()
    };
    let (each, sums) = (the_loop("each"), the_loop("sums"));
    assert_eq!((&each["chunks"], &sums["chunks"]), (&10.into(), &10.into()));
    let longest = &each["longest_chunk"];
    assert_eq!((&longest["first"], &longest["iterations"]), (&24.into(), &4.into()));
    assert!(longest["ns"].as_u64().unwrap() >= 200_000_000, "{longest}");
    assert!(sums["longest_chunk"].is_null(), "{sums:#}");
    let table = ferromp(folder, &["report", "each", "--loops", "--width", "200"]);
    assert!(table.contains("longest chunk") && table.contains("24-27 on thread "), "{table}");
    let slices = |trace| -> u64 {
        let text = ferromp(folder, &["export", trace, "--to", "perfetto", "-o", "out", "--force"]);
        text.split(", ").find_map(|part| part.strip_suffix(" slices")).unwrap().parse().unwrap()
    };
    assert_eq!(slices("each"), slices("sums") + 10);
    ferromp(folder, &["report", "each", "--html", "out.html"]);
    let page = std::fs::read_to_string(folder.join("out.html")).unwrap();
    assert!(page.contains("\"chunk\""), "the chunks are slices of the page");
}

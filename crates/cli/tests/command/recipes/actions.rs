//! A job of GitHub Actions: the `run` steps of the workflow, as a push and then pull requests would run them.

use super::{Recipe, yaml};

use serde_json::Value;

/// Pairs of a push and a pull request. On a busy machine, runs of the one may be slower than those of the other.
const TRIES: usize = 4;

/// Runs the steps that the event has, up to the first that fails. Returns its name and what it said.
fn failing(recipe: &mut Recipe, steps: &[Value], event: &str) -> Option<(String, String)> {
    for step in steps {
        let Some(script) = step["run"].as_str() else { continue };
        let condition = step["if"].as_str().unwrap_or("always");
        let applies = condition == "always" || condition == format!("github.event_name == '{event}'");
        let name = step["name"].as_str().expect("each step that runs something has a name");
        if !applies || name == "Install" {
            continue;
        }
        let (status, said) = recipe.ground.shell(&["bash", "-e", "-c", script]);
        if status != Some(0) {
            assert_eq!(status, Some(1), "{name}: {said}");
            return Some((name.to_owned(), said));
        }
    }
    None
}

#[test]
fn a_job_fails_when_a_region_gets_slower() {
    if std::thread::available_parallelism().is_ok_and(|count| count.get() < 2) {
        eprintln!("skipped: this machine has one CPU, and the recipe's program needs two");
        return;
    }
    let mut recipe = Recipe::new("GitHub Actions: fail when a region gets slower");
    let Some(workflow) = yaml(recipe.file(".github/workflows/speed.yml")) else { return };
    let job = &workflow["jobs"]["heat"];
    let steps = job["steps"].as_array().unwrap().clone();
    recipe.ground.export("OMP_NUM_THREADS", job["env"]["OMP_NUM_THREADS"].as_str().unwrap());
    let before = std::fs::read_to_string(recipe.ground.folder().join("heat.c")).unwrap();
    let inner = "        for (size_t column = 1; column < width(side, row) - 1; column++) {";
    assert!(before.contains(inner));
    // Each pull request has a baseline of its own: one of a quick minute would fail all that follow.
    let mut request = |after: &str| {
        recipe.write("heat.c", &before);
        assert_eq!(failing(&mut recipe, &steps, "push"), None);
        recipe.write("heat.c", after);
        failing(&mut recipe, &steps, "pull_request")
    };
    let said: Vec<_> = (0..TRIES).map_while(|_| request(&before)).collect();
    assert!(said.len() < TRIES, "a pull request that changes nothing fails all the time: {said:?}");
    // A step that does its work six times.
    let after = before.replace(inner, &format!("        for (int again = 0; again < 6; again++)\n{inner}"));
    let (name, said) = (0..TRIES).find_map(|_| request(&after)).expect("the slow program fails");
    assert_eq!(name, "Compare");
    let (_, slower) = said.split_once("\nSlower by more than 10 %:\n").unwrap_or_else(|| panic!("{said}"));
    let step = slower.lines().find(|line| line.starts_with("  step (heat.c:34)"));
    assert!(step.is_some_and(|line| line.contains(" before, ") && line.contains(" after, +")), "{slower}");
}

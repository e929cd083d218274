//! A container without privileges: the commands run confined as Docker's default profile confines them.

use super::Recipe;
use crate::{common, schema};

use std::process::Command;

/// Starts a command as an unprivileged container would; see the file.
const CONFINED: &str = include_str!("confined.c");

/// Runs what stands behind the image's name, confined. Options are those of the page; another one ends the command.
const DOCKER: &str = r#"
case "$1" in
build) test "$2 $3 $4" = "-t openmp ." && exec grep -q '^FROM ' Dockerfile ;;
run)
    shift
    while :; do
        case "$1" in
        --rm) shift ;;
        -v) test "$2" = "$PWD:$PWD" || exit 2; shift 2 ;;
        -w) cd "$2" || exit 2; shift 2 ;;
        openmp) shift; exec confined "$@" ;;
        *) echo "docker: $1 is no option of the recipe" >&2; exit 2 ;;
        esac
    done ;;
esac
exit 2
"#;

/// Allocates memory that is to be spread over NUMA domains.
const PARTITION: &str = r"#include <omp.h>
#include <string.h>
int main(void) {
    omp_alloctrait_t traits[] = {{omp_atk_partition, omp_atv_interleaved}};
    omp_allocator_handle_t spread = omp_init_allocator(omp_default_mem_space, 1, traits);
    char *block = omp_alloc(1 << 20, spread);
    if (block) memset(block, 1, 1 << 20);
    return block == 0;
}
";

/// The recipe with its stand-ins; none, with a line, if this system lets nobody confine a command.
fn confined() -> Option<Recipe> {
    let recipe = Recipe::new("In a container");
    let folder = recipe.ground.folder();
    std::fs::create_dir(folder.join("bin")).unwrap();
    common::compile("gcc", &folder.join("bin"), "confined", CONFINED, &[]);
    recipe.stand_in("docker", DOCKER);
    let tried = Command::new(folder.join("bin/confined")).arg("true").output().unwrap();
    if tried.status.success() {
        return Some(recipe);
    }
    eprintln!("skipped: {}", common::text(&tried.stderr).trim());
    None
}

#[test]
fn what_a_container_refuses_costs_a_line_at_most() {
    let Some(mut recipe) = confined() else { return };
    let said = recipe.follow();
    let [_, _, _, traced, checked, counted, reported] = &said[..] else { panic!("{said:#?}") };
    for text in [traced, counted, reported] {
        assert!(text.contains("step (heat.c:35)") || text.contains("heat.c:"), "{text}");
    }
    // The only line about something that is missing is that about the counter. The checker has two lines of its own.
    let complaints = |text: &str| text.lines().filter(|line| line.starts_with("ferromp: ")).count();
    let all: Vec<usize> = said.iter().map(|text| complaints(text)).collect();
    assert_eq!(all, [0, 0, 0, 0, 2, 1, 0], "{said:#?}");
    assert!(checked.contains("nothing is wrong with them"), "{checked}");
    let json = recipe.ground.run("ferromp report contained --format json 2> notes");
    let document = schema::validated(json.as_bytes());
    let samples = document["traces"][0]["samples"]["count"].as_u64();
    assert!(samples.is_some_and(|count| count > 0), "{samples:?}");
}

#[test]
fn a_container_that_refuses_to_place_memory_gives_it_all_the_same() {
    let Some(mut recipe) = confined() else { return };
    common::compile("gcc", recipe.ground.folder(), "spread", PARTITION, &[]);
    let said = recipe.ground.run(r#"docker run --rm -v "$PWD:$PWD" -w "$PWD" openmp ferromp run -- ./spread"#);
    assert!(said.lines().count() <= 1, "{said}");
}

#[test]
fn faults_are_found_and_gdb_works_in_a_container() {
    let Some(mut recipe) = confined() else { return };
    common::compile("gcc", recipe.ground.folder(), "wrong", super::WRONG, &[]);
    let docker = r#"docker run --rm -v "$PWD:$PWD" -w "$PWD" openmp"#;
    let (status, said) = recipe.ground.status(&format!("{docker} ferromp check -- ./wrong"));
    assert!(status == Some(87) && said.contains("wrong.c:6"), "{status:?}: {said}");
    recipe.build();
    recipe.ground.export("OMP_NUM_THREADS", "2");
    recipe.ground.export("HOME", ".");
    recipe.write("lines", "set debuginfod enabled off\nbreak heat.c:40\nrun\nompd parallel\nkill\n");
    let said = recipe.ground.run(&format!("{docker} ferromp debug -- ./heat 100 50 < lines"));
    assert!(said.contains("region 1: parallel, 2 threads"), "{said}");
}

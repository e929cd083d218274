//! A batch job of Slurm: the script with stand-ins for `sbatch` and `srun`.

use super::Recipe;
use crate::schema;

/// Runs the script as a job of two tasks with two CPUs each.
const SBATCH: &str = "\
grep -q '^#SBATCH --ntasks=2$' \"$1\" || exit 2
export SLURM_JOB_ID=4711 SLURM_NTASKS=2 SLURM_CPUS_PER_TASK=2
exec bash \"$1\"
";

/// Starts the command once a task, the tasks beside each other.
const SRUN: &str = "\
test \"$1\" = --cpus-per-task=2 || exit 2
shift
SLURM_PROCID=0 \"$@\" &
first=$!
SLURM_PROCID=1 \"$@\" &
second=$!
wait $first && wait $second
";

#[test]
fn each_rank_of_a_batch_job_is_in_the_report() {
    let mut recipe = Recipe::new("A batch job of Slurm");
    recipe.ground.run("bash -n job.sh");
    recipe.stand_in("sbatch", SBATCH);
    recipe.stand_in("srun", SRUN);
    recipe.build();
    let said = recipe.follow().concat();
    assert!(said.contains("rank 0") && said.contains("rank 1"), "{said}");
    let document = schema::validated(recipe.ground.run("ferromp report heat-4711 --format json").as_bytes());
    let traces = document["traces"].as_array().unwrap();
    let ranks: Vec<Option<u64>> = traces.iter().map(|trace| trace["rank"].as_u64()).collect();
    assert_eq!(ranks, [Some(0), Some(1)]);
}

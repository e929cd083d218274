//! What is played: which machines, scenarios and numbers of threads.

use crate::scenario::Scenario;
use crate::scenarios;
use ferromp_simulator::{MACHINES, Machine};

/// The numbers of threads that are played without `--threads`, as far as the machine has the cores.
const THREADS: [u32; 9] = [2, 4, 8, 16, 32, 64, 128, 192, 256];

/// The command's options.
pub struct Options {
    pub machines: Vec<Machine>,
    pub scenarios: Vec<&'static Scenario>,
    threads: Vec<u32>,
}

impl Options {
    /// Reads the command's words.
    pub fn of(words: &[String]) -> Result<Self, String> {
        let mut options =
            Options { machines: MACHINES.to_vec(), scenarios: scenarios::all().collect(), threads: THREADS.to_vec() };
        let mut words = words.iter();
        while let Some(option) = words.next() {
            let value = words.next().ok_or_else(|| format!("{option} needs a value"))?;
            match option.as_str() {
                "--machine" => options.machines.retain(|machine| machine.name == value),
                "--scenario" => options.scenarios.retain(|scenario| scenario.name.contains(value.as_str())),
                "--threads" => {
                    let number = |word: &str| word.parse().ok().filter(|&number| number > 1);
                    options.threads = value
                        .split(',')
                        .map(number)
                        .collect::<Option<_>>()
                        .ok_or_else(|| format!("--threads takes numbers from 2, as 2,8,64, not {value}"))?;
                }
                _ => return Err(format!("unknown option {option}; there are --machine, --scenario and --threads")),
            }
            if options.machines.is_empty() {
                let names: Vec<&str> = MACHINES.iter().map(|machine| machine.name).collect();
                return Err(format!("no machine {value}; there are {}", names.join(", ")));
            }
            if options.scenarios.is_empty() {
                return Err(format!("no scenario has {value} in its name"));
            }
        }
        Ok(options)
    }

    /// The numbers of threads for a machine, up to all its cores.
    pub fn threads(&self, machine: &Machine) -> Vec<u32> {
        let mut threads: Vec<u32> = self.threads.iter().copied().filter(|&number| number <= machine.cores).collect();
        if self.threads == THREADS && !threads.contains(&machine.cores) {
            threads.push(machine.cores);
        }
        threads
    }
}

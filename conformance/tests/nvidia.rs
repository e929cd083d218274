//! NVIDIA devices (`crates/runtime/src/device/cuda`) without a GPU: programs run on a CUDA driver of our own
//! (`mock/cuda.c`), which does on the host's memory what the driver does on a device's, looks after its rules, and
//! fails where it is told to. Their images are clang's for x86-64, with a header that says CUDA. The last test is for a
//! real one, where there is any.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::Journal;
use ferromp_conformance::program::programs_folder;
use ferromp_conformance::run::{Ending, Outcome};
use ferromp_conformance::tools::{Run, Workshop};

/// `EM_X86_64`, `EM_CUDA`, and the type of a shared object.
const X86_64: [u8; 2] = [62, 0];
const CUDA: [u8; 2] = [190, 0];
const SHARED: [u8; 2] = [3, 0];

fn workshop() -> Workshop {
    Workshop::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The folder with the driver.
fn driver(workshop: &Workshop) -> PathBuf {
    static MAKING: Mutex<()> = Mutex::new(());
    let _making = MAKING.lock().unwrap();
    let library = workshop.library_at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("mock/cuda.c"));
    let folder = library.with_extension("driver");
    if !folder.exists() {
        fs::create_dir_all(&folder).unwrap();
        fs::copy(&library, folder.join("libcuda.so.1")).unwrap();
    }
    folder
}

/// The program with its images made into such for NVIDIA devices of this compute capability.
fn for_nvidia(program: &Path, processor: u8) -> PathBuf {
    static MAKING: Mutex<()> = Mutex::new(());
    let _making = MAKING.lock().unwrap();
    let made = program.with_extension(format!("sm_{processor}"));
    if made.exists() {
        return made;
    }
    let mut bytes = fs::read(program).unwrap();
    let mut images = 0;
    for at in 1..bytes.len() - 64 {
        if bytes[at..].starts_with(b"\x7fELF\x02\x01") && bytes[at + 16..at + 20] == [SHARED, X86_64].concat() {
            bytes[at + 8] = 7;
            bytes[at + 18..at + 20].copy_from_slice(&CUDA);
            bytes[at + 48..at + 52].copy_from_slice(&u32::from(processor).to_le_bytes());
            images += 1;
        }
    }
    assert_eq!(images, 1, "images in {}", program.display());
    fs::write(&made, bytes).unwrap();
    fs::set_permissions(&made, fs::Permissions::from_mode(0o755)).unwrap();
    made
}

/// A run of a program of `tools/` for devices of this compute capability.
fn command<'a>(workshop: &'a Workshop, name: &str, processor: u8) -> Run<'a> {
    let program = for_nvidia(&workshop.program(name, Compiler::Offload, &[]), processor);
    on_driver(workshop, &program)
}

fn on_driver<'a>(workshop: &'a Workshop, program: &Path) -> Run<'a> {
    let folders = format!("{}:{}", workshop.lib.display(), driver(workshop).display());
    workshop.command(program).env("LD_LIBRARY_PATH", folders).env("OMP_NUM_THREADS", "3").env("MOCK_CUDA_REPORT", "1")
}

/// What the runtime has said.
fn said(outcome: &Outcome) -> Vec<&str> {
    outcome.stderr.lines().filter(|line| line.starts_with("ferromp: ")).collect()
}

/// Nothing was used wrongly, and nothing is left.
fn assert_clean(outcome: &Outcome) {
    assert!(!outcome.stderr.contains("misuse: "), "{}", outcome.stderr);
    let left = "left: memory 0 streams 0 events 0 modules 0 contexts 0\n";
    assert!(outcome.stderr.contains(left), "{}", outcome.stderr);
}

/// How often each of the driver's functions was called.
fn calls(outcome: &Outcome) -> BTreeMap<String, u64> {
    let lines = outcome.stderr.lines().filter_map(|line| line.strip_prefix("called: ")?.split_once(' '));
    lines.map(|(name, count)| (name.to_owned(), count.parse().unwrap())).collect()
}

#[test]
fn programs_run_and_nothing_is_left() {
    let workshop = workshop();
    for devices in ["1", "3"] {
        let run = command(&workshop, "gpu_work", 80).args(&[devices]).env("MOCK_CUDA_DEVICES", devices);
        let outcome = run.finish();
        assert_eq!(outcome.stdout, format!("devices {devices}\ndone\n"));
        assert!(said(&outcome).is_empty(), "{}", outcome.stderr);
        assert_clean(&outcome);
    }
}

#[test]
fn programs_of_the_corpus_run() {
    let workshop = workshop();
    let names = [
        "algorithm_pipeline.c",
        "attach_order.c",
        "class_mapper.cpp",
        "data_nested.c",
        "declare_target_indirect.c",
        "declare_target_link.c",
        "declare_target_to.c",
        "defaultmap_pointer.c",
        "enter_exit_counts.c",
        "firstprivate_many.c",
        "global_object.cpp",
        "lambdas.cpp",
        "map_always.c",
        "map_races.c",
        "map_sections.c",
        "mapper_nested.c",
        "memory_spaces.c",
        "nowait_data.c",
        "nowait_depend.c",
        "nowait_many.c",
        "nowait_overlap.c",
        "pointer_to_pointer.c",
        "routine_memcpy_rect.c",
        "struct_nested_pointers.c",
        "update_strided.c",
        "use_device_ptr.c",
    ];
    for name in names {
        let source = programs_folder().join("target").join(name);
        let program = for_nvidia(&workshop.program_at(&source, Compiler::Offload, &[]), 80);
        let outcome = on_driver(&workshop, &program).finish();
        assert!(outcome.stdout.ends_with("ok\n"), "{name}: {}", outcome.stdout);
        assert!(said(&outcome).is_empty() && !outcome.stderr.contains("misuse: "), "{name}: {}", outcome.stderr);
        assert!(
            calls(&outcome).contains_key("cuMemcpyHtoDAsync_v2") || calls(&outcome).contains_key("cuLaunchKernel"),
            "{name}"
        );
    }
}

#[test]
fn without_a_driver_the_host_does_it_and_says_nothing() {
    let workshop = workshop();
    let program = for_nvidia(&workshop.program("gpu_work", Compiler::Offload, &[]), 80);
    let outcome = workshop.command(&program).finish();
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("devices 0\ndone\n", ""));
}

#[test]
fn where_devices_are_asked_for_the_reason_is_told() {
    let workshop = workshop();
    let program = for_nvidia(&workshop.program("gpu_work", Compiler::Offload, &[]), 80);
    let none = workshop.command(&program).env("OMP_TARGET_OFFLOAD", "mandatory").finish_with(1);
    let lines = said(&none);
    assert!(lines.len() == 1 && lines[0].contains("libcuda.so.1") && lines[0].contains("mandatory"), "{}", none.stderr);
    let refusals = [
        ("MOCK_CUDA_DEVICES", "0", "CUDA_ERROR_NO_DEVICE"),
        ("MOCK_CUDA_FAIL", "cuInit:3", "CUDA_ERROR_NOT_INITIALIZED"),
        ("MOCK_CUDA_SM", "90", "NVIDIA Mock 0 sm_90"),
    ];
    for (name, value, reason) in refusals {
        let quiet = command(&workshop, "gpu_work", 80).env(name, value).finish();
        assert!(
            quiet.stdout == "devices 0\ndone\n" && said(&quiet).is_empty(),
            "{name}: {}{}",
            quiet.stdout,
            quiet.stderr
        );
        let told =
            command(&workshop, "gpu_work", 80).env(name, value).env("OMP_TARGET_OFFLOAD", "mandatory").finish_with(1);
        let lines = said(&told);
        assert!(lines.len() == 1 && lines[0].contains(reason), "{name}: {}", told.stderr);
    }
}

#[test]
fn kernels_get_the_stack_and_heap_that_the_user_wants() {
    let workshop = workshop();
    let run = |stack: &str, heap: &str| {
        let run = command(&workshop, "gpu_work", 80).args(&["1"]);
        let outcome = run.env("LIBOMPTARGET_STACK_SIZE", stack).env("LIBOMPTARGET_HEAP_SIZE", heap).finish();
        assert_eq!(outcome.stdout, "devices 1\ndone\n");
        assert_clean(&outcome);
        outcome
    };
    let both = run("65536", " 1000000000");
    assert!(said(&both).is_empty() && both.stderr.contains("limit 0: 65536\nlimit 2: 1000000000\n"), "{}", both.stderr);
    let neither = run("large", "5000000000");
    let lines = said(&neither);
    assert!(lines.len() == 2 && !neither.stderr.contains("limit "), "{}", neither.stderr);
    assert!(lines[0].contains("LIBOMPTARGET_STACK_SIZE='large': not a number of bytes"), "{}", neither.stderr);
    assert!(lines[1].contains("LIBOMPTARGET_HEAP_SIZE='5000000000': cuCtxSetLimit"), "{}", neither.stderr);
}

#[test]
fn devices_that_the_image_is_not_for_are_none() {
    let workshop = workshop();
    let run = |processors: &str| {
        let run = command(&workshop, "gpu_work", 80).args(&["1"]);
        run.env("MOCK_CUDA_DEVICES", "3").env("MOCK_CUDA_SM", processors).finish().stdout
    };
    assert_eq!(run("90,80,86"), "devices 2\ndone\n");
    assert_eq!(run("75,90,100"), "devices 0\ndone\n");
}

#[test]
fn a_refused_image_is_told_in_the_drivers_words() {
    let workshop = workshop();
    let outcome = command(&workshop, "gpu_work", 80).env("MOCK_CUDA_REFUSE", "1").finish();
    assert_eq!(outcome.stdout, "devices 1\ndone\n");
    let lines = said(&outcome);
    let first = "CUDA_ERROR_INVALID_IMAGE (device kernel image is invalid): ptxas fatal : the test wants it so";
    assert!(lines.len() == 2 && lines[0].contains(first) && lines[1].contains("run on the host"), "{}", outcome.stderr);
    assert_clean(&outcome);
}

#[test]
fn a_kernel_that_fails_is_named() {
    let workshop = workshop();
    for (kernel, status, name) in
        [("work", "700", "CUDA_ERROR_ILLEGAL_ADDRESS"), ("work", "719:2000", "CUDA_ERROR_LAUNCH_FAILED")]
    {
        let outcome =
            command(&workshop, "gpu_work", 80).env("MOCK_CUDA_TRAP", format!("{kernel}:{status}")).finish_with(1);
        let lines = said(&outcome);
        assert!(lines.len() == 1 && lines[0].contains(name), "{}", outcome.stderr);
        assert!(
            lines[0].contains("after the kernel '__omp_offloading_") && lines[0].contains("gpu_work.c:"),
            "{}",
            outcome.stderr
        );
    }
}

#[test]
fn regions_with_nowait_run_side_by_side() {
    let workshop = workshop();
    let outcome = command(&workshop, "gpu_beside", 80).finish();
    assert_eq!(outcome.stdout, "met 16 of 16, order 3\n");
    assert_clean(&outcome);
}

#[test]
fn tools_hear_which_device_it_is() {
    let workshop = workshop();
    let folders = format!("{}:{}", workshop.lib.display(), driver(&workshop).display());
    let program = for_nvidia(&workshop.program("gpu_work", Compiler::Offload, &[]), 80);
    let source = ferromp_conformance::tools::sources().join("gpu_work.c");
    let journal =
        Journal::of_program(&workshop, program, source, &[("LD_LIBRARY_PATH", &folders), ("JOURNAL_TARGET", "emi")]);
    let device = journal.one("device_initialize", &[]);
    assert!(device.text("type") == "NVIDIA;NVIDIA_Mock_0;sm_80" && device.text("device") == "0", "{device:?}");
    journal.one("device_load", &[]);
    journal.one("device_finalize", &[]);
    assert_eq!(journal.all("target_submit", &[]).len(), 10, "{}", journal.listing());
}

/// Each function of the driver fails at its first call, in the middle and at its last, with errors that the device
/// recovers from and that it does not: the program ends by itself, and it is told with the call and CUDA's name.
#[test]
fn any_call_may_fail() {
    let workshop = workshop();
    let plain = command(&workshop, "gpu_work", 80).args(&["2"]).env("MOCK_CUDA_DEVICES", "2").finish();
    for (function, count) in calls(&plain) {
        let mut positions = vec![1, count / 2 + 1, count];
        positions.dedup();
        for position in positions {
            for (status, name) in [("2", "CUDA_ERROR_OUT_OF_MEMORY"), ("719", "CUDA_ERROR_LAUNCH_FAILED")] {
                let fail = format!("{function}:{status}:{position}");
                let run = command(&workshop, "gpu_work", 80)
                    .args(&["2"])
                    .env("MOCK_CUDA_DEVICES", "2")
                    .env("MOCK_CUDA_FAIL", &fail);
                let outcome = run.finish_as(|ending| matches!(ending, Ending::Exited(0 | 1)));
                let lines = said(&outcome);
                assert!(!outcome.stderr.contains("misuse: "), "{fail}: {}", outcome.stderr);
                let names_it = lines.iter().any(|line| line.contains(&function) && line.contains(name));
                if matches!(outcome.ending, Ending::Exited(0)) {
                    // There was a fallback: the host, or one device less. A device that had been counted already costs
                    // a line.
                    assert!(lines.is_empty() || names_it, "{fail}: {}{}", outcome.stdout, outcome.stderr);
                    assert!(outcome.stdout.ends_with("done\n"), "{fail}: {}", outcome.stdout);
                } else {
                    assert!(names_it, "{fail}: {}{}", outcome.stdout, outcome.stderr);
                    // One line names the missing kernel or variable, the next one what could not be done without it.
                    assert!(lines.len() <= 2 || outcome.stdout.contains("wrong"), "{fail}: {}", outcome.stderr);
                }
            }
        }
    }
}

/// The lines of records that hold a word, and the number behind another in one.
fn records<'a>(outcome: &'a Outcome, word: &str) -> Vec<&'a str> {
    outcome.stdout.lines().filter(|line| line.starts_with("device ") && line.split(' ').any(|it| it == word)).collect()
}

#[test]
fn kernels_and_transfers_are_recorded_in_the_devices_time() {
    let workshop = workshop();
    let tool = workshop.tool("dev_trace", &[]);
    for drift in ["0", "500"] {
        let run = command(&workshop, "gpu_work", 80)
            .libraries(&[&tool])
            .env("TRACE_EVENTS", "0")
            .env("MOCK_CUDA_DRIFT", drift);
        let outcome = run.finish();
        assert!(outcome.stdout.contains("done\n"), "{}", outcome.stdout);
        for wrong in ["not owned", "no time", "no processors", "cannot be started", "what is it", "late 1"] {
            assert!(!outcome.stdout.contains(wrong), "{wrong}: {}", outcome.stdout);
        }
        assert_eq!(records(&outcome, "kernel").len(), 5, "{}", outcome.stdout);
        assert!(outcome.stdout.contains("data_op kind 1 bytes 8000 "), "{}", outcome.stdout);
        assert_clean(&outcome);
    }
}

/// Where CUDA's assembler and linker (`ptxas`, `nvlink`) and its library for devices are: the folder that `CUDA_PATH`
/// names, or where PyPI's packages put them in the tests' Python environment.
fn toolkit() -> Option<PathBuf> {
    let named = std::env::var_os("CUDA_PATH").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("python").join("bin/python");
    let python = std::env::var_os("FERROMP_TEST_PYTHON").map_or(beside, PathBuf::from);
    let packages = Some(python).and_then(|python| fs::read_dir(python.parent()?.parent()?.join("lib")).ok());
    let installed =
        packages.into_iter().flatten().flatten().map(|version| version.path().join("site-packages/nvidia/cu13"));
    named.into_iter().chain(installed).find(|home| home.join("bin/ptxas").exists())
}

/// `gpu_work` with the code that clang makes with this option, for NVIDIA devices or others; what clang says, where it
/// cannot.
fn made_by_clang(workshop: &Workshop, toolkit: &Path, name: &str, option: &str) -> Result<PathBuf, String> {
    let source = ferromp_conformance::tools::sources().join("gpu_work.c");
    let program = workshop.scratch.join(format!("gpu_work.{name}"));
    let mut clang = std::process::Command::new("clang-19");
    clang.args(["-O1", "-fopenmp", "--libomptarget-nvptx-bc-path=/usr/lib/llvm-19/lib"]).arg(option);
    clang.arg(format!("--cuda-path={}", toolkit.display()));
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(toolkit.join("bin")).chain(std::env::split_paths(&inherited));
    clang.env("PATH", std::env::join_paths(path).expect("no folder has a colon in its name"));
    let made = clang.arg("-o").args([&program, &source]).output().map_err(|why| format!("no clang-19: {why}"))?;
    let complaint = String::from_utf8_lossy(&made.stderr);
    if made.status.success() { Ok(program) } else { Err(complaint.lines().next().unwrap_or("clang fails").to_owned()) }
}

/// The driver takes an image of clang's own then, with all that is in one, and the kernels of an x86-64 one in its
/// place.
#[test]
fn images_that_clang_makes_are_understood() {
    let workshop = workshop();
    let Some(toolkit) = toolkit() else {
        return eprintln!(
            "skipped: CUDA's assembler is missing (`cargo xtask test` installs it; CUDA_PATH names another)"
        );
    };
    let program = made_by_clang(&workshop, &toolkit, "sm_80", "--offload-arch=sm_80")
        .expect("clang makes code for NVIDIA devices");
    // Kernels have the number of the source's file in their names, so this one is made now as well.
    let other = made_by_clang(&workshop, &toolkit, "x86_64", "-fopenmp-targets=x86_64-pc-linux-gnu").unwrap();
    let other = fs::read(other).unwrap();
    let at = (1..other.len() - 64)
        .find(|&at| other[at..].starts_with(b"\x7fELF\x02\x01") && other[at + 16..at + 20] == [SHARED, X86_64].concat())
        .expect("an image");
    let word = |field: usize| u64::from_le_bytes(other[at + field..at + field + 8].try_into().unwrap()) as usize;
    // The headers of sections are the last in the file: where they begin, and how many of 64 bytes there are.
    let end = at + word(40) + 64 * (word(60) & 0xffff);
    let bodies = workshop.scratch.join("gpu_work.bodies.so");
    fs::write(&bodies, &other[at..end]).unwrap();
    let outcome = on_driver(&workshop, &program).env("MOCK_CUDA_BODIES", &bodies).finish();
    assert_eq!(outcome.stdout, "devices 1\ndone\n", "{}", outcome.stderr);
    assert!(said(&outcome).is_empty(), "{}", outcome.stderr);
    assert_clean(&outcome);
    assert!(calls(&outcome)["cuLaunchKernel"] >= 5);
    let elsewhere = on_driver(&workshop, &program).env("MOCK_CUDA_SM", "90").finish();
    assert_eq!(elsewhere.stdout, "devices 0\ndone\n");
}

#[test]
fn a_gpu_is_used_where_there_is_one() {
    // SAFETY: loads NVIDIA's library, if it exists, as every program with device code does.
    let library = unsafe { libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_NOW) };
    if library.is_null() {
        return eprintln!("skipped: no NVIDIA GPU (libcuda.so.1 cannot be loaded)");
    }
    let Some(toolkit) = toolkit() else {
        return eprintln!(
            "skipped: CUDA's assembler is missing (`cargo xtask test` installs it; CUDA_PATH names another)"
        );
    };
    let workshop = workshop();
    match made_by_clang(&workshop, &toolkit, "native", "--offload-arch=native") {
        Ok(program) => {
            let outcome = workshop.command(&program).env("OMP_TARGET_OFFLOAD", "mandatory").finish();
            assert!(outcome.stdout.ends_with("done\n"), "{}", outcome.stdout);
        }
        Err(why) => eprintln!("skipped: no code for this GPU can be made here ({why})"),
    }
}

//! Programs and libraries of other projects on ferromp: GraphicsMagick, ImageMagick, FFTW and OpenBLAS from Debian;
//! scikit-learn, NumPy, SciPy and numba from PyPI. Each must do on ferromp, traced or not, exactly what it does on the
//! runtime that it was built for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ferromp_conformance::run::{self, Ending, Outcome};
use ferromp_conformance::runtime::workspace;

const LIMIT: Duration = Duration::from_secs(600);

/// The command under test.
fn ferromp() -> PathBuf {
    let command = workspace().join("dist/bin/ferromp");
    assert!(command.exists(), "{} is missing: run `cargo xtask build` first", command.display());
    command
}

/// The Python interpreter whose environment holds the packages.
fn python() -> PathBuf {
    let beside = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("python").join("bin/python");
    let python = std::env::var_os("FERROMP_TEST_PYTHON").map_or(beside, PathBuf::from);
    assert!(python.exists(), "{} is missing: run `cargo xtask setup` first", python.display());
    python
}

/// A fresh folder for one test.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    }
    fs::create_dir_all(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    folder
}

/// Runs `words`, with no OpenMP variable but the number of threads; a program that does not exit with 0 fails the test.
fn run_at(threads: usize, words: &[&str], scratch: &Path) -> Outcome {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(scratch);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if ["OMP_", "KMP_", "GOMP_", "LD_", "FERROMP_"].iter().any(|prefix| name.starts_with(prefix)) {
            command.env_remove(name);
        }
    }
    command.env("OMP_NUM_THREADS", threads.to_string());
    let outcome = run::run(&mut command, LIMIT, scratch).unwrap_or_else(|why| panic!("{why}"));
    assert!(
        matches!(outcome.ending, Ending::Exited(0)),
        "{words:?} at {threads} threads {}\n--- stdout\n{}--- stderr\n{}",
        outcome.ending.describe(LIMIT),
        outcome.stdout,
        outcome.stderr
    );
    outcome
}

fn text(path: &Path) -> &str {
    path.to_str().expect("test folders have plain names")
}

/// A picture with edges, smooth parts and grain, the same in each run; 16 bits a sample, so that small differences
/// show.
fn picture() -> Vec<u8> {
    let (width, height) = (311_u32, 233_u32);
    let mut file = format!("P6\n{width} {height}\n65535\n").into_bytes();
    let mut grain = 12345_u32;
    for y in 0..height {
        for x in 0..width {
            grain = grain.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let disc = (x.abs_diff(150).pow(2) + y.abs_diff(110).pow(2) < 70_u32.pow(2)) as u32;
            let stripes = (x / 9 + y / 13) % 2;
            let samples =
                [x * 200 + (grain >> 20), y * 260 + disc * 4000, disc * 40_000 + stripes * 9000 + (grain >> 19)];
            for sample in samples {
                file.extend_from_slice(&(sample.min(65535) as u16).to_be_bytes());
            }
        }
    }
    file
}

/// One conversion under libgomp and under ferromp, at several numbers of threads: the same bytes each time.
fn conversion(program: &[&str], name: &str, options: &[&str]) {
    let folder = scratch(name);
    let source = folder.join("in.ppm");
    fs::write(&source, picture()).unwrap_or_else(|why| panic!("{}: {why}", source.display()));
    let convert = |prefix: &[&str], threads: usize, to: &str| {
        let output = folder.join(to);
        let words = [prefix, program, &[text(&source)], options, &[text(&output)]].concat();
        let outcome = run_at(threads, &words, &folder);
        assert_eq!(outcome.stderr, "", "{words:?}");
        fs::read(&output).unwrap_or_else(|why| panic!("{}: {why}", output.display()))
    };
    let ferromp = ferromp();
    for threads in [1, 2, 5] {
        let expected = convert(&[], threads, "libgomp.ppm");
        let ours = convert(&[text(&ferromp), "run", "--"], threads, "ferromp.ppm");
        assert!(expected == ours, "{program:?} {options:?} at {threads} threads differs from libgomp's result");
    }
}

macro_rules! conversions {
    ($program:expr; $($name:ident: $($option:literal)+;)+) => {
        $(#[test]
        fn $name() {
            conversion(&$program, stringify!($name), &[$($option),+]);
        })+
    };
}

conversions! {
    ["gm", "convert"];
    gm_blur: "-blur" "0x3";
    gm_gaussian: "-gaussian" "0x2";
    gm_motion_blur: "-motion-blur" "0x5+30";
    gm_sharpen: "-sharpen" "0x2";
    gm_unsharp: "-unsharp" "0x3+1.5+0.02";
    gm_resize_down: "-resize" "37%";
    gm_resize_up: "-resize" "419x297!";
    gm_rotate: "-rotate" "17.5";
    gm_shear: "-shear" "10x5";
    gm_swirl: "-swirl" "90";
    gm_implode: "-implode" "0.4";
    gm_wave: "-wave" "8x40";
    gm_median: "-median" "2";
    gm_despeckle: "-despeckle";
    gm_edge: "-edge" "2";
    gm_emboss: "-emboss" "0x1.2";
    gm_equalize: "-equalize";
    gm_normalize: "-normalize";
    gm_modulate: "-modulate" "110,60,130";
    gm_quantize: "-dither" "-colors" "24";
    gm_grey_threshold: "-colorspace" "Gray" "-threshold" "50%";
    gm_chain: "-resize" "150%" "-blur" "0x1" "-rotate" "90" "-sharpen" "0x1" "-gamma" "1.4";
}

conversions! {
    ["convert-im6.q16"];
    magick_blur: "-blur" "0x3";
    magick_resize_and_turn: "-resize" "140%" "-rotate" "11" "-sharpen" "0x1";
    magick_statistic: "-statistic" "Median" "5x5";
    magick_morphology: "-morphology" "Dilate" "Octagon:3";
    magick_contrast: "-normalize" "-sigmoidal-contrast" "4x40%" "-modulate" "110,60,130";
    magick_quantize: "-dither" "FloydSteinberg" "-colors" "24";
    magick_distort: "-distort" "Barrel" "0.2,0.0,0.0";
    magick_fx: "-fx" "u*0.7+0.1*sin(i/9)";
}

/// A program of `clients/`, built by gcc with `libraries`, prints the same on its own runtime and on ferromp.
fn linked(name: &str, libraries: &[&str]) {
    let folder = scratch(name);
    let source = workspace().join("conformance/clients").join(name).with_extension("c");
    let program = folder.join(name);
    let words = [&["gcc", "-O2", "-fopenmp", "-o", text(&program), text(&source)], libraries].concat();
    run_at(1, &words, &folder);
    let ferromp = ferromp();
    for threads in [1, 2, 5] {
        let expected = run_at(threads, &[text(&program)], &folder).stdout;
        let ours = run_at(threads, &[text(&ferromp), "run", "--", text(&program)], &folder).stdout;
        assert!(!expected.is_empty());
        assert_eq!(expected, ours, "{name} at {threads} threads differs from its result on libgomp");
    }
}

#[test]
fn fftw_transforms() {
    linked("fft", &["-lfftw3_omp", "-lfftw3", "-lm"]);
}

#[test]
fn openblas_products() {
    linked("blas", &["-lopenblas", "-lm"]);
}

/// The report of a trace folder as JSON, which must not be empty of parallel regions.
fn report(folder: &Path) -> String {
    let above = folder.parent().expect("a trace lies in a folder");
    let report = run_at(2, &[text(&ferromp()), "report", "--format", "json", text(folder)], above).stdout;
    let some = report.contains("\"regions\": [") && !report.contains("\"regions\": []");
    assert!(some, "no parallel region in the report:\n{report}");
    report
}

#[test]
fn gm_is_traced() {
    let folder = scratch("gm-traced");
    let (source, output, trace) = (folder.join("in.ppm"), folder.join("out.ppm"), folder.join("trace"));
    fs::write(&source, picture()).unwrap_or_else(|why| panic!("{}: {why}", source.display()));
    let ferromp = ferromp();
    let words = ["trace", "-o", text(&trace), "--", "gm", "convert", text(&source), "-blur", "0x3", text(&output)];
    run_at(2, &[&[text(&ferromp)], &words[..]].concat(), &folder);
    let report = report(&trace);
    assert!(report.contains("libGraphicsMagick"), "the regions of gm's library are not in the report:\n{report}");
}

/// Runs a script plainly and then behind `prefix`; both must print the same.
fn script(name: &str, threads: usize, prefix: &[&str], folder: &Path) -> Outcome {
    let script = workspace().join("conformance/clients").join(name);
    let python = python();
    let plain = run_at(threads, &[text(&python), text(&script)], folder);
    let ours = run_at(threads, &[prefix, &[text(&python), text(&script)]].concat(), folder);
    assert!(!plain.stdout.is_empty());
    assert_eq!(plain.stdout, ours.stdout, "{name} at {threads} threads prints something else on ferromp");
    ours
}

#[test]
fn scikit_learn_learns_the_same_when_traced() {
    let folder = scratch("learn");
    let (ferromp, trace) = (ferromp(), folder.join("trace"));
    script("learn.py", 2, &[text(&ferromp), "trace", "-o", text(&trace), "--"], &folder);
    let report = report(&trace);
    for module in ["_k_means", "_hist_gradient_boosting"] {
        assert!(report.contains(module), "nothing of scikit-learn's {module} in the report:\n{report}");
    }
}

#[test]
fn scikit_learn_learns_the_same_on_more_threads_than_cpus() {
    let folder = scratch("learn-8");
    script("learn.py", 8, &[text(&ferromp()), "run", "--"], &folder);
}

/// scikit-learn's own tests of the modules that use OpenMP.
#[test]
fn scikit_learn_passes_its_own_tests() {
    let (python, folder) = (python(), scratch("learn-own"));
    let home =
        run_at(1, &[text(&python), "-c", "import sklearn, os; print(os.path.dirname(sklearn.__file__))"], &folder)
            .stdout;
    let home = Path::new(home.trim());
    let modules = [
        home.join("cluster/tests"),
        home.join("ensemble/_hist_gradient_boosting/tests"),
        home.join("metrics/tests/test_pairwise_distances_reduction.py"),
    ];
    let ferromp = ferromp();
    let words = [text(&ferromp), "run", "--", text(&python), "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"];
    let outcome =
        run_at(2, &[&words[..], &[text(&modules[0]), text(&modules[1]), text(&modules[2])]].concat(), &folder);
    let last = outcome.stdout.lines().last().unwrap_or_default();
    assert!(last.contains(" passed") && !last.contains("failed"), "{last}");
}

#[test]
fn numpy_and_scipy_are_not_disturbed() {
    let folder = scratch("linalg");
    let outcome = script("linalg.py", 2, &[text(&ferromp()), "run", "--"], &folder);
    assert_eq!(outcome.stderr, "");
}

#[test]
fn numba_loops() {
    let folder = scratch("numba");
    for threads in [1, 2, 5] {
        let outcome = script("jit.py", threads, &[text(&ferromp()), "run", "--"], &folder);
        assert!(outcome.stdout.contains("layer omp"), "numba did not use OpenMP:\n{}", outcome.stdout);
    }
}

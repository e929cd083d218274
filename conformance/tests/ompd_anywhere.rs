//! OMPD on programs that are stopped anywhere, and on ones whose memory is damaged: the library answers, in time, and
//! never crashes; handles of ended objects are stale; a hundred thousand tasks are listed quickly (OpenMP 5.1, chapter
//! 5).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::stopped::{self, COMPILERS, Record, Workshop, named, possible, the};
use ferromp_debugger::handles::{Answer, Parallel, Scoped, Space, Task, Thread};
use ferromp_debugger::live::{Event, Live};
use ferromp_debugger::modules::Module;
use ferromp_debugger::target::{Target, Thread as Native};
use ompd::{Rc, Scope};

/// How long one look at everything may take, with the library built in any way.
const LOOK: Duration = Duration::from_secs(20);

fn workshop() -> Workshop {
    Workshop::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Counts what a look at everything was answered.
#[derive(Default, Debug)]
struct Answers(BTreeMap<(&'static str, Result<(), i32>), usize>);

impl Answers {
    fn note<T>(&mut self, what: &'static str, answer: Answer<T>) -> Option<T> {
        let (answer, value) = match answer {
            Ok(value) => (Ok(()), Some(value)),
            Err(rc) => (Err(rc.0), None),
        };
        *self.0.entry((what, answer)).or_default() += 1;
        value
    }

    /// How often something was answered otherwise than well or with one of these codes.
    fn others(&self, allowed: &[Rc]) -> Vec<(&'static str, i32, usize)> {
        let fails = self.0.iter().filter_map(|(&(what, answer), &count)| Some((what, answer.err()?, count)));
        fails.filter(|(_, code, _)| !allowed.iter().any(|rc| rc.0 == *code)).collect()
    }
}

/// Asks for everything that there is to ask for.
fn look(space: &Space) -> Answers {
    let mut answers = Answers::default();
    let natives = space.target().threads();
    for native in &natives {
        let Some(thread) = answers.note("thread", space.thread(native.lwp)) else { continue };
        answers.note("thread by pthread", space.thread_by_pthread(native.pthread));
        look_at_thread(&thread, &mut answers);
    }
    let icvs = answers.note("icvs", space.icvs()).unwrap_or_default();
    for icv in icvs.iter().filter(|icv| icv.scope == Scope::ADDRESS_SPACE) {
        answers.note("icv", space.icv(icv.id));
        answers.note("icv string", space.icv_string(icv.id));
    }
    answers.note("control vars", space.control_vars());
    answers.note("threads", space.threads());
    for record in answers.note("parallels", space.parallels()).unwrap_or_default().iter().take(100) {
        if let Some(region) = answers.note("parallel at", space.parallel_at(record.team)) {
            answers.note("arrivals", region.arrivals());
            answers.note("a thread of a region", region.thread(0));
            answers.note("a task of a region", region.task(0));
        }
    }
    for record in answers.note("tasks", space.tasks()).unwrap_or_default().iter().take(100) {
        if let Some(task) = answers.note("task at", space.task_at(record.task)) {
            look_at_task(&task, &mut answers);
        }
    }
    answers
}

fn look_at_thread(thread: &Thread, answers: &mut Answers) {
    answers.note("state", thread.state());
    answers.note("tool data of a thread", thread.tool_data());
    let mut region: Option<Parallel> = answers.note("current region", thread.parallel());
    for _ in 0..20 {
        let Some(current) = region else { break };
        answers.note("tool data of a region", current.tool_data());
        region = answers.note("enclosing region", current.enclosing());
    }
    let mut task: Option<Task> = answers.note("current task", thread.task());
    for _ in 0..50 {
        let Some(current) = task else { break };
        look_at_task(&current, answers);
        task = answers.note("generating task", current.generating());
    }
    let mut task = answers.note("current task", thread.task());
    for _ in 0..50 {
        let Some(current) = task else { break };
        task = answers.note("scheduling task", current.scheduling());
    }
}

fn look_at_task(task: &Task, answers: &mut Answers) {
    answers.note("frames", task.frames());
    answers.note("function", task.function());
    answers.note("region of a task", task.parallel());
    answers.note("tool data of a task", task.tool_data());
}

/// What may be answered of a program that is whole.
const HARMLESS: [Rc; 4] = [Rc::UNAVAILABLE, Rc::NEEDS_STATE_TRACKING, Rc::INCOMPLETE, Rc::INCOMPATIBLE];

#[test]
fn wherever_a_program_stops_the_library_answers() {
    if !possible() {
        return;
    }
    for (compiler, debug) in [
        (Compiler::Clang, "enabled"),
        (Compiler::Gcc, "enabled"),
        (Compiler::Clang, "disabled"),
        (Compiler::Gcc, "disabled"),
    ] {
        let mut live =
            Live::start(workshop().command("busy", compiler).env("OMP_DEBUG", debug)).expect("the program starts");
        live.run_to_library("libferromp.so");
        let until = Instant::now() + Duration::from_secs(20);
        let parked = live.target().symbol("parked", None).expect("the program has it");
        while live.target().value::<i32>(parked) != Some(1) {
            assert_eq!(live.run_for(Duration::from_millis(2)), None);
            assert!(Instant::now() < until, "the program does nothing");
        }
        let space = stopped::space(live.target());
        for stop in 0..15_u64 {
            // Numbers without a pattern, in microseconds.
            assert_eq!(live.run_for(Duration::from_micros(stop * 7919 % 2000)), None);
            let begun = Instant::now();
            let answers = look(&space);
            assert!(begun.elapsed() < LOOK, "a look took {:?}", begun.elapsed());
            let others = answers.others(&HARMLESS);
            assert!(others.is_empty(), "{} {debug}, stop {stop}: {others:?}", compiler.name());
            let known = answers.0.get(&("thread", Ok(()))).copied().unwrap_or(0);
            assert!(known >= 5, "{} threads at stop {stop}", known);
        }
    }
}

#[test]
fn between_any_two_instructions_the_library_answers() {
    if !possible() {
        return;
    }
    for (compiler, debug) in
        COMPILERS.into_iter().flat_map(|compiler| ["enabled", "disabled"].map(|debug| (compiler, debug)))
    {
        let mut live =
            Live::start(workshop().command("busy", compiler).env("OMP_DEBUG", debug)).expect("the program starts");
        let main = live.break_at_symbol("main");
        let primary = live.run_to(main);
        live.clear(main);
        let parked = live.target().symbol("parked", None).expect("the program has it");
        while live.target().value::<i32>(parked) != Some(1) {
            assert_eq!(live.run_for(Duration::from_millis(2)), None);
        }
        let space = stopped::space(live.target());
        // Now and then others get their turn, so that it comes out of what it waits for.
        // `FERROMP_OMPD_STEPS` looks after every single instruction, so often.
        let (looks, stride) = std::env::var("FERROMP_OMPD_STEPS")
            .ok()
            .and_then(|steps| Some((steps.parse().ok()?, 1)))
            .unwrap_or((12_u64, 37));
        for look_at in 0..looks {
            let runs = (0..stride).all(|_| live.step(primary));
            if !runs || look_at % 4 == 3 {
                assert_eq!(live.run_for(Duration::from_micros(look_at * 7919 % 300)), None);
            }
            let others = look(&space).others(&HARMLESS);
            assert!(others.is_empty(), "{} {debug}, look {look_at}: {others:?}", compiler.name());
        }
    }
}

#[test]
fn at_the_beginning_and_at_the_end_the_library_answers() {
    if !possible() {
        return;
    }
    let ompd =
        ferromp_debugger::ompd::Ompd::shared(&workshop().lib.join("libompd.so")).unwrap_or_else(|why| panic!("{why}"));
    for compiler in COMPILERS {
        let mut live = Live::start(&mut workshop().command("again", compiler)).expect("the program starts");
        assert!(Space::process(&ompd, live.target()).is_err(), "no runtime is there yet");
        live.run_to_library("libferromp.so");
        // Mapped, but none of its pointers is right: whatever is answered.
        if let Ok(space) = Space::process(&ompd, live.target()) {
            look(&space);
        }
        for place in ["main", "ompd_dll_locations_valid", "exit", "_exit"] {
            let at = live.break_at_symbol(place);
            live.run_to(at);
            live.clear(at);
            let space = Space::process(&ompd, live.target()).unwrap_or_else(|rc| panic!("{place}: {rc:?}"));
            let others = look(&space).others(&HARMLESS);
            assert!(others.is_empty(), "{} at {place}: {others:?}", compiler.name());
        }
        assert_eq!(live.finish(), Event::Exited(0));
    }
}

/// A target some of whose memory is not what it was.
struct Damaged {
    inner: Arc<dyn Target>,
    random: AtomicU64,
    /// One read in this many is wrong.
    rarely: u64,
}

impl Damaged {
    fn next(&self) -> u64 {
        let step = |mut x: u64| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^ (x << 17)
        };
        self.random.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |x| Some(step(x))).map_or(0, step)
    }
}

impl Target for Damaged {
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        if !self.inner.read(address, bytes) {
            return false;
        }
        let random = self.next();
        if random.is_multiple_of(self.rarely) && !bytes.is_empty() {
            let at = (random >> 32) as usize % bytes.len();
            match (random >> 16) % 4 {
                0 => return false,
                1 => bytes[at] ^= 1 << (random >> 61),
                2 => bytes.fill(0),
                // A pointer to itself makes cycles.
                _ if bytes.len() == 8 => bytes.copy_from_slice(&address.to_ne_bytes()),
                _ => bytes[at] = (random >> 40) as u8,
            }
        }
        true
    }

    fn write(&self, _address: u64, _bytes: &[u8]) -> bool {
        false
    }

    fn threads(&self) -> Vec<Native> {
        self.inner.threads()
    }

    fn modules(&self) -> Vec<Module> {
        self.inner.modules()
    }
}

#[test]
fn damaged_memory_gives_codes_and_no_crash() {
    if !possible() {
        return;
    }
    for (name, compiler) in [("tasks", Compiler::Clang), ("regions", Compiler::Gcc)] {
        let stopped = workshop().stop(name, compiler, &[("OMP_DEBUG", "enabled")]);
        let ompd = stopped.space.ompd();
        for (seed, rarely) in (1..=20_u64).flat_map(|seed| [(seed, 20), (seed, 300)]) {
            let random = AtomicU64::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let damaged = Damaged { inner: stopped.live.target(), random, rarely };
            let begun = Instant::now();
            if let Ok(space) = Space::process(ompd, Arc::new(damaged)) {
                look(&space);
            }
            assert!(begun.elapsed() < LOOK, "a look took {:?} with seed {seed}", begun.elapsed());
        }
        // What is whole is as it was.
        let others = look(&stopped.space).others(&HARMLESS);
        assert!(others.is_empty(), "{others:?}");
    }
}

#[test]
fn a_process_killed_at_any_moment_leaves_a_core_that_can_be_read() {
    // Its threads die wherever they are: of the signal of an abort in one of them.
    let folder = workshop().scratch.join(format!("anywhere-{}", std::process::id()));
    for compiler in COMPILERS {
        for _ in 0..2 {
            std::fs::create_dir_all(&folder).expect("a folder can be made");
            match ferromp_debugger::make_core::by_kernel(workshop().command("busy", compiler).args(["soon"]), &folder) {
                Ok(core) => {
                    let target =
                        Arc::new(ferromp_debugger::corefile::CoreFile::open(&core).expect("it is a core file"));
                    let others = look(&stopped::space(target)).others(&HARMLESS);
                    assert!(others.is_empty(), "{others:?}");
                }
                Err(why) => eprintln!("skipped: {why}"),
            }
            std::fs::remove_dir_all(&folder).expect("it can be removed");
        }
    }
}

#[test]
fn a_hundred_thousand_tasks_are_listed_at_once() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let stopped = workshop().stop("many", compiler, &[]);
        let ran = the(&stopped.records, "generated").get("ran");
        let begun = Instant::now();
        let tasks = stopped.space.tasks().expect("they can be listed");
        let took = begun.elapsed();
        let waiting = tasks.iter().filter(|task| task.state == 0).count();
        assert_eq!(waiting as i64, 100_000 - ran, "{}", compiler.name());
        assert_eq!(tasks.iter().map(|task| task.task).collect::<BTreeSet<_>>().len(), tasks.len(), "each once");
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
}

#[test]
fn handles_of_what_is_over_are_stale() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let mut stopped = workshop().stop("again", compiler, &[]);
        let thread = stopped.space.thread(stopped.stopper).expect("a thread");
        let (region, task) = (thread.parallel().expect("a region"), thread.task().expect("a task"));
        let (implicit, initial) = (task.generating().expect("a task"), region.enclosing().expect("a region"));
        for _ in 0..2 {
            assert!(initial.task(0).is_ok());
            stopped.again();
            // Another region of the same team, in the same place.
            assert_eq!(region.thread(0).err(), Some(Rc::STALE_HANDLE), "{}", compiler.name());
            assert_eq!(region.task(0).err(), Some(Rc::STALE_HANDLE));
            assert_eq!(region.enclosing().err(), Some(Rc::STALE_HANDLE));
            assert_eq!(region.tool_data().err(), Some(Rc::STALE_HANDLE));
            assert_eq!(region.arrivals().err(), Some(Rc::STALE_HANDLE));
            assert_eq!(task.generating().err(), Some(Rc::STALE_HANDLE));
            assert_eq!(task.function().err(), Some(Rc::STALE_HANDLE));
            assert_eq!(implicit.parallel().err(), Some(Rc::STALE_HANDLE));
            let thread = stopped.space.thread(stopped.stopper).expect("a thread");
            assert!(thread.parallel().is_ok_and(|now| !now.is(&region)));
        }
        // A thread that is no more.
        stopped.again();
        let foreign = the(&stopped.records, "foreign").lwp();
        let thread = stopped.space.thread(foreign).expect("a thread");
        let region = thread.parallel().expect("a region");
        stopped.again();
        assert_eq!(thread.parallel().err(), Some(Rc::STALE_HANDLE), "{}", compiler.name());
        assert_eq!(thread.state().err(), Some(Rc::STALE_HANDLE));
        assert_eq!(thread.task().err(), Some(Rc::STALE_HANDLE));
        assert_eq!(region.thread(0).err(), Some(Rc::STALE_HANDLE));
        assert!(stopped.space.thread(foreign).is_err());
    }
}

#[test]
fn words_of_a_tool_are_those_that_the_tool_gave() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let stopped = workshop().stop("told", compiler, &[]);
        let words = named(&stopped.records, "words");
        assert_eq!(words.len(), 4);
        for record in words {
            check_words(&stopped.space, record, compiler);
        }
    }
}

fn check_words(space: &Space, record: &Record, compiler: Compiler) {
    let who = compiler.name();
    let word = |data: Answer<(i64, u64)>| {
        data.map(|(value, pointer)| {
            assert_eq!(value.cast_unsigned(), pointer, "both are one word");
            value
        })
    };
    let thread = space.thread(record.lwp()).expect("a thread");
    assert_eq!(word(thread.tool_data()), Ok(record.get("thread data")), "{who} {record:?}");
    let mut region = thread.parallel();
    for level in 0..3 {
        let current = region.expect("a region");
        assert_eq!(
            word(current.tool_data()),
            Ok(record.get(&format!("parallel data{level}"))),
            "{who}, region {level} of {record:?}"
        );
        region = current.enclosing();
    }
    let mut task = thread.task();
    for level in (0..6).take_while(|level| record.says(&format!("task data{level}"))) {
        let current = task.expect("a task");
        assert_eq!(
            word(current.tool_data()),
            Ok(record.get(&format!("task data{level}"))),
            "{who}, task {level} of {record:?}"
        );
        task = current.generating();
    }
}

#[test]
fn a_thread_that_waits_for_an_atomic_region_says_so() {
    if !possible() {
        return;
    }
    // gcc's programs say where such a region begins and ends.
    let mut live = Live::start(workshop().command("atomics", Compiler::Gcc).env("OMP_DEBUG", "enabled"))
        .expect("the program starts");
    live.run_to_library("libferromp.so");
    let end = live.break_at_symbol("GOMP_atomic_end");
    let inside = live.run_to(end);
    live.clear(end);
    live.freeze(inside);
    let space = stopped::space(live.target());
    let records = stopped::records(&*live.target());
    let other = records.iter().find(|record| record.lwp() != inside).expect("two add").lwp();
    let states: BTreeMap<i64, String> = space.states().expect("they can be listed").into_iter().collect();
    let mut found = None;
    for _ in 0..400 {
        let (state, wait) = space.thread(other).and_then(|thread| thread.state()).expect("states are kept");
        found = states.get(&state).cloned();
        if found.as_deref() == Some("ompt_state_wait_atomic") {
            let owner = space.lock_owner(wait).expect("it has one");
            let listed = space.threads().expect("they can be listed");
            assert!(
                listed.iter().any(|thread| thread.gtid == owner && thread.lwp == inside.cast_unsigned().into()),
                "{owner} {listed:#?}"
            );
            break;
        }
        assert_eq!(live.run_for(Duration::from_millis(1)), None);
    }
    assert_eq!(found.as_deref(), Some("ompt_state_wait_atomic"));
    live.thaw(inside);
    assert_eq!(live.finish(), Event::Exited(0));
}

#[test]
fn regions_are_listed_with_their_parents() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let stopped = workshop().stop("regions", compiler, &[("OMP_DEBUG", "enabled")]);
        let regions = stopped.space.parallels().expect("they can be listed");
        let at = |level: i32| regions.iter().filter(|region| region.level == level).collect::<Vec<_>>();
        assert_eq!((at(0).len(), at(1).len(), at(2).len(), at(3).len()), (1, 1, 3, 6), "{regions:#?}");
        for region in &regions {
            let handle = stopped.space.parallel_at(region.team).expect("a region of the list has a handle");
            match handle.enclosing() {
                Ok(parent) => assert!(parent.is(&stopped.space.parallel_at(region.parent).expect("so has its parent"))),
                Err(rc) => assert_eq!((rc, region.parent), (Rc::UNAVAILABLE, 0)),
            }
            assert!(handle.thread(region.threads - 1).is_ok() && handle.thread(region.threads).is_err());
            // Where it was encountered lies in the program.
            if region.level > 0 {
                let program = &stopped.live.target().modules()[0];
                assert!((program.bias..program.bias + (1 << 20)).contains(&region.codeptr), "{region:#x?}");
            }
        }
    }
}

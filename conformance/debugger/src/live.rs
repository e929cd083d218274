//! Controls a process by ptrace: starts it or attaches to it, stops all of its threads, sets breakpoints and continues.
//!
//! All that changes how the process runs is for the thread that started or attached it; what it looks like is for all.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::modules::{self, Mapping, Module};
use crate::target::{Target, Thread};

/// How long a process may take to do what is waited for.
const LIMIT: Duration = Duration::from_secs(40);
/// How long one instruction may take.
const STEP: Duration = Duration::from_millis(20);
/// The instruction that is put where a breakpoint is.
const INT3: u8 = 0xcc;
/// Where the loader comes by when it has mapped or unmapped libraries.
const LOADER_EVENT: &str = "_dl_debug_state";

/// Why a process stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The thread has reached the breakpoint at this address, and has not executed the instruction there.
    Breakpoint { lwp: i32, address: u64 },
    /// The thread is about to die of that signal.
    Signal { lwp: i32, signal: Signal },
    /// The thread stopped on request.
    Interrupted,
    /// The process has ended, with this exit status.
    Exited(i32),
    /// The process was killed by this signal.
    Killed(Signal),
}

/// A thread of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tracee {
    Running,
    /// Stopped; the thread gets this signal when it continues.
    Stopped(Option<Signal>),
}

/// A process that is controlled.
pub struct Live {
    pid: Pid,
    tracees: BTreeMap<i32, Tracee>,
    /// Events that are not reported yet. Several threads may reach breakpoints before all have stopped.
    pending: VecDeque<Event>,
    /// The breakpoints, with the byte that they stand for.
    breakpoints: HashMap<u64, u8>,
    /// Threads that do not go on when the others do.
    frozen: BTreeSet<i32>,
    shown: Arc<Shown>,
    /// Whether it was started here, and so dies with the debugger.
    started: bool,
    /// Whether threads that stop for no reason of their own are to stay so.
    stopping: bool,
    over: bool,
}

/// What a stopped process looks like.
pub struct Shown {
    pid: Pid,
    threads: RwLock<Vec<Thread>>,
    modules: RwLock<Vec<Module>>,
}

/// Whether this machine lets a process control another one; if not, why.
pub fn allowed() -> Result<(), String> {
    match Live::start(&mut Command::new("/bin/true")) {
        Ok(live) => {
            live.kill();
            Ok(())
        }
        Err(why) => Err(format!("ptrace is not allowed here: {why}")),
    }
}

impl Live {
    /// Starts a program and stops it at its first instruction, which is the loader's.
    pub fn start(command: &mut Command) -> io::Result<Live> {
        // SAFETY: between fork and exec it makes one system call.
        unsafe { command.pre_exec(|| Ok(ptrace::traceme()?)) };
        command.process_group(0);
        let child = command.spawn()?;
        let pid = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
        match waitpid(pid, Some(WaitPidFlag::__WALL))? {
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
            status => return Err(io::Error::other(format!("the program did not begin: {status:?}"))),
        }
        // A seized process can be interrupted; a process that has requested its tracing (`PTRACE_TRACEME`) cannot.
        ptrace::detach(pid, Signal::SIGSTOP)?;
        ptrace::seize(pid, options() | Options::PTRACE_O_EXITKILL)?;
        let mut live = Live::of(pid, true);
        live.wait_for(pid.as_raw());
        nix::sys::signal::kill(pid, Signal::SIGCONT)?;
        live.show();
        Ok(live)
    }

    /// Stops a process that runs.
    pub fn attach(pid: u32) -> io::Result<Live> {
        let pid = Pid::from_raw(i32::try_from(pid).map_err(io::Error::other)?);
        let mut live = Live::of(pid, false);
        // Threads may be created by those that are not stopped yet.
        loop {
            let unknown: Vec<i32> = lwps(pid).into_iter().filter(|lwp| !live.tracees.contains_key(lwp)).collect();
            if unknown.is_empty() {
                break;
            }
            for lwp in unknown {
                match ptrace::seize(Pid::from_raw(lwp), options()) {
                    Ok(()) => {
                        live.tracees.insert(lwp, Tracee::Running);
                    }
                    // The thread has ended since, or was created by a traced thread and is traced already.
                    Err(Errno::ESRCH) => {}
                    Err(Errno::EPERM) if !live.tracees.is_empty() => {}
                    Err(why) => return Err(why.into()),
                }
            }
            live.stop_all();
        }
        live.show();
        Ok(live)
    }

    fn of(pid: Pid, started: bool) -> Live {
        let shown = Arc::new(Shown { pid, threads: RwLock::default(), modules: RwLock::default() });
        let tracees = if started { BTreeMap::from([(pid.as_raw(), Tracee::Running)]) } else { BTreeMap::new() };
        Live {
            pid,
            tracees,
            pending: VecDeque::new(),
            breakpoints: HashMap::new(),
            frozen: BTreeSet::new(),
            shown,
            started,
            stopping: true,
            over: false,
        }
    }

    /// The process's number.
    pub fn pid(&self) -> u32 {
        self.pid.as_raw().unsigned_abs()
    }

    /// What it looks like while it is stopped.
    pub fn target(&self) -> Arc<Shown> {
        Arc::clone(&self.shown)
    }

    /// Runs a program that was started up to where a library of that name is mapped, before its first instruction is
    /// executed.
    ///
    /// # Panics
    /// If it ends without.
    pub fn run_to_library(&mut self, library: &str) {
        let loader = self.shown.symbol(LOADER_EVENT, None).expect("the loader tells debuggers of libraries");
        self.break_at(loader);
        while !self.shown.modules().iter().any(|module| module.name() == library) {
            let event = self.run();
            assert!(matches!(event, Event::Breakpoint { .. }), "{library} is not loaded: {event:?}");
        }
        self.clear(loader);
    }

    /// Sets a breakpoint.
    ///
    /// # Panics
    /// If nothing is there.
    pub fn break_at(&mut self, address: u64) {
        let mut byte = [0];
        assert!(self.shown.read(address, &mut byte), "nothing at {address:#x}");
        if let std::collections::hash_map::Entry::Vacant(free) = self.breakpoints.entry(address) {
            free.insert(byte[0]);
            self.poke(address, INT3);
        }
    }

    /// Sets a breakpoint at a symbol, and tells where that is.
    ///
    /// # Panics
    /// If there is no such symbol.
    pub fn break_at_symbol(&mut self, name: &str) -> u64 {
        let address = self.shown.symbol(name, None).unwrap_or_else(|| panic!("no symbol {name}"));
        self.break_at(address);
        address
    }

    /// Removes a breakpoint.
    pub fn clear(&mut self, address: u64) {
        if let Some(byte) = self.breakpoints.remove(&address) {
            self.poke(address, byte);
        }
    }

    /// Keeps a thread where it is while the others go on.
    pub fn freeze(&mut self, lwp: i32) {
        self.frozen.insert(lwp);
    }

    /// Lets a thread go on with the others again.
    pub fn thaw(&mut self, lwp: i32) {
        self.frozen.remove(&lwp);
    }

    /// Lets all threads run until something happens, then stops them.
    ///
    /// # Panics
    /// If nothing happens for long; the process is killed.
    pub fn run(&mut self) -> Event {
        self.run_for(LIMIT).unwrap_or_else(|| {
            let stacks: Vec<String> =
                self.shown.threads().iter().map(|thread| format!("{} at {:#x}", thread.lwp, thread.pc)).collect();
            panic!("process {} came to nothing: {stacks:?}", self.pid)
        })
    }

    /// As [`run`](Self::run), for so long at most; `None` if nothing happened until then.
    pub fn run_for(&mut self, limit: Duration) -> Option<Event> {
        if let Some(event) = self.pending.pop_front() {
            return Some(event);
        }
        self.resume();
        let until = Instant::now() + limit;
        let mut nap = Duration::from_micros(20);
        while self.pending.is_empty() && Instant::now() < until {
            if !self.poll() {
                std::thread::sleep(nap);
                nap = (nap * 2).min(Duration::from_millis(1));
            }
        }
        self.stop_all();
        self.show();
        self.pending.pop_front()
    }

    /// Executes one instruction of a thread, while all others stay where they are. `false` if it does not come to the
    /// next one on its own: it waits in the kernel, or something else happened to it.
    pub fn step(&mut self, lwp: i32) -> bool {
        let thread = Pid::from_raw(lwp);
        if !self.pending.is_empty() || self.registers(lwp).is_none() || ptrace::step(thread, None).is_err() {
            return false;
        }
        self.tracees.insert(lwp, Tracee::Running);
        let until = Instant::now() + STEP;
        let mut is_interrupted = false;
        while self.tracees.get(&lwp) == Some(&Tracee::Running) {
            if !self.poll_one(lwp) {
                if Instant::now() > until && !is_interrupted {
                    is_interrupted = ptrace::interrupt(thread).is_ok();
                }
                std::thread::yield_now();
            }
        }
        self.show_threads();
        !is_interrupted && self.pending.is_empty()
    }

    /// Runs to a breakpoint at that address.
    ///
    /// # Panics
    /// If something else happens first.
    pub fn run_to(&mut self, address: u64) -> i32 {
        match self.run() {
            Event::Breakpoint { lwp, address: at } if at == address => lwp,
            event => panic!("{address:#x} was not reached: {event:?}"),
        }
    }

    /// Lets the process run to its end, without breakpoints.
    pub fn finish(mut self) -> Event {
        self.frozen.clear();
        for address in self.breakpoints.keys().copied().collect::<Vec<_>>() {
            self.clear(address);
        }
        loop {
            match self.run() {
                Event::Breakpoint { .. } | Event::Interrupted => {}
                event => return event,
            }
        }
    }

    /// Leaves the process to itself; it runs on.
    pub fn detach(mut self) {
        for address in self.breakpoints.keys().copied().collect::<Vec<_>>() {
            self.clear(address);
        }
        for (&lwp, &tracee) in &self.tracees {
            if let Tracee::Stopped(signal) = tracee {
                // The thread may have been killed in the meantime.
                let _ = ptrace::detach(Pid::from_raw(lwp), signal);
            }
        }
        self.over = true;
    }

    /// Kills the process.
    pub fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        if std::mem::replace(&mut self.over, true) {
            return;
        }
        let _ = nix::sys::signal::kill(self.pid, Signal::SIGKILL);
        let until = Instant::now() + LIMIT;
        while !self.tracees.is_empty() && Instant::now() < until {
            if !self.poll() {
                std::thread::sleep(Duration::from_micros(100));
            }
        }
    }

    /// Continues every thread. Those at a breakpoint first execute what stands there, alone.
    fn resume(&mut self) {
        self.stopping = false;
        let lwps: Vec<i32> = self.tracees.keys().copied().filter(|lwp| !self.frozen.contains(lwp)).collect();
        for &lwp in &lwps {
            if let Some(&byte) = self.registers(lwp).and_then(|registers| self.breakpoints.get(&registers.rip)) {
                self.step_over(lwp, byte);
            }
        }
        for lwp in lwps {
            if let Some(Tracee::Stopped(signal)) = self.tracees.get(&lwp).copied() {
                match ptrace::cont(Pid::from_raw(lwp), signal) {
                    Ok(()) | Err(Errno::ESRCH) => {}
                    Err(why) => panic!("thread {lwp} does not go on: {why}"),
                }
                self.tracees.insert(lwp, Tracee::Running);
            }
        }
    }

    /// Executes the one instruction that a breakpoint hides.
    fn step_over(&mut self, lwp: i32, byte: u8) {
        let Some(registers) = self.registers(lwp) else { return };
        self.poke(registers.rip, byte);
        let thread = Pid::from_raw(lwp);
        while ptrace::step(thread, None).is_ok() {
            match waitpid(thread, Some(WaitPidFlag::__WALL)) {
                // An earlier interruption has come too late.
                Ok(WaitStatus::PtraceEvent(..)) => continue,
                Ok(WaitStatus::Stopped(_, Signal::SIGTRAP)) => {}
                // A signal came first: the instruction waits until it was handled.
                Ok(WaitStatus::Stopped(_, signal)) => {
                    self.tracees.insert(lwp, Tracee::Stopped(Some(signal)));
                }
                Ok(status) => self.note(lwp, status),
                Err(_) => {}
            }
            break;
        }
        self.poke(registers.rip, INT3);
    }

    fn registers(&self, lwp: i32) -> Option<libc::user_regs_struct> {
        matches!(self.tracees.get(&lwp), Some(Tracee::Stopped(_)))
            .then(|| ptrace::getregs(Pid::from_raw(lwp)).ok())
            .flatten()
    }

    /// Stops every thread that runs.
    fn stop_all(&mut self) {
        self.stopping = true;
        loop {
            let running: Vec<i32> =
                self.tracees.iter().filter(|(_, tracee)| **tracee == Tracee::Running).map(|(&lwp, _)| lwp).collect();
            if running.is_empty() {
                break;
            }
            for &lwp in &running {
                // A thread that has ended leaves the list when its end is reported.
                let _ = ptrace::interrupt(Pid::from_raw(lwp));
            }
            for lwp in running {
                self.wait_for(lwp);
            }
        }
    }

    /// Waits until a thread has stopped or ended.
    fn wait_for(&mut self, lwp: i32) {
        let until = Instant::now() + LIMIT;
        while self.tracees.get(&lwp) == Some(&Tracee::Running) {
            if !self.poll_one(lwp) {
                assert!(Instant::now() < until, "thread {lwp} does not stop");
                std::thread::sleep(Duration::from_micros(20));
            }
        }
    }

    /// Takes note of what threads did; whether there was anything.
    fn poll(&mut self) -> bool {
        let lwps: Vec<i32> = self.tracees.keys().copied().collect();
        lwps.into_iter().filter(|&lwp| self.poll_one(lwp)).count() > 0
    }

    fn poll_one(&mut self, lwp: i32) -> bool {
        match waitpid(Pid::from_raw(lwp), Some(WaitPidFlag::__WALL | WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => false,
            Ok(status) => {
                self.note(lwp, status);
                true
            }
            Err(Errno::ECHILD) => {
                self.tracees.remove(&lwp);
                true
            }
            Err(_) => false,
        }
    }

    /// Takes note of what a thread did.
    fn note(&mut self, lwp: i32, status: WaitStatus) {
        let is_leader = lwp == self.pid.as_raw();
        match status {
            WaitStatus::Exited(_, code) => {
                self.tracees.remove(&lwp);
                if is_leader {
                    self.over = true;
                    self.pending.push_back(Event::Exited(code));
                }
            }
            WaitStatus::Signaled(_, signal, _) => {
                self.tracees.remove(&lwp);
                if is_leader {
                    self.over = true;
                    self.pending.push_back(Event::Killed(signal));
                }
            }
            WaitStatus::PtraceEvent(_, _, event) => {
                self.tracees.insert(lwp, Tracee::Stopped(None));
                if event == libc::PTRACE_EVENT_CLONE {
                    let born = ptrace::getevent(Pid::from_raw(lwp)).ok().and_then(|born| i32::try_from(born).ok());
                    if let Some(born) = born {
                        self.tracees.entry(born).or_insert(Tracee::Running);
                    }
                }
                self.go_on(lwp, None);
            }
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {
                self.tracees.insert(lwp, Tracee::Stopped(None));
                if let Some(mut registers) = self.registers(lwp)
                    && self.breakpoints.contains_key(&(registers.rip - 1))
                {
                    registers.rip -= 1;
                    let address = registers.rip;
                    if ptrace::setregs(Pid::from_raw(lwp), registers).is_ok() {
                        self.pending.push_back(Event::Breakpoint { lwp, address });
                    }
                }
            }
            WaitStatus::Stopped(_, signal) => {
                self.tracees.insert(lwp, Tracee::Stopped(Some(signal)));
                let deadly = [Signal::SIGABRT, Signal::SIGSEGV, Signal::SIGBUS, Signal::SIGILL, Signal::SIGFPE];
                if deadly.contains(&signal) {
                    self.pending.push_back(Event::Signal { lwp, signal });
                } else {
                    self.go_on(lwp, Some(signal));
                }
            }
            _ => {}
        }
    }

    /// Continues a thread that stopped for nothing that anyone waits for, unless all are being stopped.
    fn go_on(&mut self, lwp: i32, signal: Option<Signal>) {
        if !self.stopping && ptrace::cont(Pid::from_raw(lwp), signal).is_ok() {
            self.tracees.insert(lwp, Tracee::Running);
        }
    }

    /// Renews what others see.
    fn show(&self) {
        self.show_threads();
        if !self.over {
            *self.shown.modules.write().unwrap_or_else(PoisonError::into_inner) = modules::of(&mappings(self.pid));
        }
    }

    fn show_threads(&self) {
        let threads = self.tracees.keys().filter_map(|&lwp| {
            let registers = self.registers(lwp)?;
            Some(Thread { lwp, pthread: registers.fs_base, pc: registers.rip, sp: registers.rsp })
        });
        *self.shown.threads.write().unwrap_or_else(PoisonError::into_inner) = threads.collect();
    }

    fn poke(&self, address: u64, byte: u8) {
        if !self.over {
            assert!(self.shown.write(address, &[byte]), "nothing can be written at {address:#x}");
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if self.started {
            self.end();
        } else if !self.over {
            for &lwp in self.tracees.keys() {
                let _ = ptrace::detach(Pid::from_raw(lwp), None);
            }
        }
    }
}

impl Target for Shown {
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        if bytes.is_empty() {
            return true;
        }
        let wanted = bytes.len();
        let Ok(base) = usize::try_from(address) else { return false };
        let remote = RemoteIoVec { base, len: wanted };
        process_vm_readv(self.pid, &mut [io::IoSliceMut::new(bytes)], &[remote]) == Ok(wanted)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> bool {
        use std::os::unix::fs::FileExt;
        // Through this file, memory that is not writable for the process can be written.
        let memory = std::fs::OpenOptions::new().write(true).open(format!("/proc/{}/mem", self.pid));
        memory.and_then(|memory| memory.write_all_at(bytes, address)).is_ok()
    }

    fn threads(&self) -> Vec<Thread> {
        self.threads.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn modules(&self) -> Vec<Module> {
        self.modules.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn options() -> Options {
    Options::PTRACE_O_TRACECLONE
}

fn lwps(pid: Pid) -> Vec<i32> {
    let tasks = procfs::process::Process::new(pid.as_raw()).and_then(|process| process.tasks());
    tasks.map(|tasks| tasks.flatten().map(|task| task.tid).collect()).unwrap_or_default()
}

fn mappings(pid: Pid) -> Vec<Mapping> {
    let Ok(maps) = procfs::process::Process::new(pid.as_raw()).and_then(|process| process.maps()) else {
        return Vec::new();
    };
    let of_file = |map: procfs::process::MemoryMap| match map.pathname {
        procfs::process::MMapPath::Path(path) => {
            Some(Mapping { start: map.address.0, end: map.address.1, offset: map.offset, path })
        }
        _ => None,
    };
    maps.into_iter().filter_map(of_file).collect()
}

//! The settings in force. They are read from the environment once, and again when the program puts variables above it.

use super::settings::Settings;
use super::task::Icvs;
use super::variables::{self, VARIABLES};
use crate::environment::{Environment, Notes};
use crate::model::atomic::{AtomicPtr, Ordering};
use crate::park::mutex::Mutex;
use crate::place::{self, Partition};
use crate::warnings;

/// The settings in force; null before the first call of [`settings`].
static SETTINGS: AtomicPtr<Settings> = AtomicPtr::new(std::ptr::null_mut());
/// The variables that the program has put above the environment. The lock is held while settings are made.
static ABOVE: Mutex<Environment> = Mutex::new(Environment::empty());

/// The process's settings. The first call reads the environment and reports bad values, and must not come from a signal
/// handler.
#[inline(always)]
pub fn settings() -> &'static Settings {
    // Acquire: pairs with the release in `publish`, so the settings are seen whole.
    let settings = SETTINGS.load(Ordering::Acquire);
    if settings.is_null() {
        return first();
    }
    // SAFETY: published settings are never freed.
    unsafe { &*settings }
}

#[cold]
fn first() -> &'static Settings {
    ABOVE.with(|_| {
        let present = SETTINGS.load(Ordering::Acquire);
        if !present.is_null() {
            // SAFETY: published settings are never freed.
            return unsafe { &*present };
        }
        let (settings, notes) = variables::read(&Environment::of_process(), privileged());
        publish(settings, &notes)
    })
}

/// Puts `more` above the environment and above the variables that were put there before. Settings that are replaced
/// are never freed, as other threads may be reading them.
pub fn change(more: &Environment) {
    let before = settings();
    ABOVE.with(|above| {
        *above = std::mem::replace(above, Environment::empty()).with(more);
        let (new, mut notes) = variables::read(&Environment::of_process().with(above), privileged());
        let is_new = |line: &String| more.shown().any(|(name, _)| line.starts_with(&format!("ferromp: {name}=")));
        notes.complaints.retain(is_new);
        notes.remarks.retain(is_new);
        if new == *before {
            say(&notes);
        } else {
            publish(new, &notes);
        }
    });
}

/// Gives a task's ICVs their initial values again, as far as a variable in `named` sets them. Called after [`change`].
pub fn follow(named: &Environment, icvs: &mut Icvs) {
    let fresh = initial();
    for variable in VARIABLES.iter().filter(|variable| named.has(&[variable.name])) {
        if let Some(renew) = variable.renew {
            renew(icvs, &fresh);
        }
    }
}

/// [`ferromp_up_read_settings`](crate::upcalls::ferromp_up_read_settings).
#[unsafe(no_mangle)]
fn ferromp_up_read_settings() {
    settings();
}

/// In a forked child, the thread that held a lock may not exist.
pub fn after_fork() {
    ABOVE.force_open();
    super::lists::after_fork();
}

fn publish(settings: Settings, notes: &Notes) -> &'static Settings {
    let settings: &'static Settings = Box::leak(Box::new(settings));
    warnings::set_up(settings.warnings);
    say(notes);
    place::in_force::put_in_force(&settings.affinity);
    SETTINGS.store(std::ptr::from_ref(settings).cast_mut(), Ordering::Release);
    settings
}

fn say(notes: &Notes) {
    notes.complaints.iter().for_each(|line| warnings::warn(line));
    notes.remarks.iter().for_each(|line| warnings::remark(line));
}

/// Whether the process runs with more rights than its caller has (setuid, setgid, file capabilities).
fn privileged() -> bool {
    // SAFETY: the call only reads the process's auxiliary vector.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// The ICVs of the initial task.
pub fn initial() -> Icvs {
    settings().initial(place::available_cpus(), Partition::all())
}

/// The ICVs of the initial task, which a task has until its region begins.
impl Default for Icvs {
    fn default() -> Self {
        initial()
    }
}

impl Icvs {
    /// The ICVs of the implicit tasks of a parallel region that this task encounters.
    #[inline]
    pub fn for_nested(&self) -> Icvs {
        let settings = settings();
        self.nested(&settings.num_threads, &settings.affinity.bind)
    }

    /// Whether `region` is certainly what [`for_nested`](Self::for_nested) returns.
    #[inline]
    pub fn are_inherited_as(&self, region: &Icvs) -> bool {
        let settings = settings();
        self.give_exactly(region, &settings.num_threads, &settings.affinity.bind)
    }
}

//! Mapping on a device that only remembers what it was told to do. Its memory is the host's.

use super::Context;
use super::items::Work;
use super::mapper::Components;
use super::types::{Lists, MapType, Name, Variable};
use super::update::Dimension;
use crate::device::devices::Device;
use crate::device::driver::{
    Abilities, Address, Clock, Direction, Driver, Kernel, Launch, Mark, Module, Note, Space, Stream,
};
use crate::objects::structures::TargetTool;
use std::ffi::{CStr, c_void};
use std::sync::Mutex;

/// What the device was told to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Done {
    Allocated(usize),
    Freed(usize),
    /// To the device, or from it: the host's address and the number of bytes.
    To(usize, usize),
    From(usize, usize),
}
use Done::{Allocated, Freed, From, To};

#[derive(Default)]
struct Fake {
    done: Mutex<Vec<Done>>,
}

impl Fake {
    fn note(&self, done: Done) {
        self.done.lock().unwrap().push(done);
    }
}

impl Driver for Fake {
    fn kind(&self) -> &'static CStr {
        c"fake"
    }
    fn abilities(&self) -> &Abilities {
        &Abilities {
            documentation: c"",
            team_memory: 0,
            shares_memory: true,
            takes_list: true,
            queues: false,
            copied_by_processor: false,
        }
    }
    fn accepts(&self, _: &[u8]) -> bool {
        false
    }
    fn open(&self) -> Result<(), String> {
        Ok(())
    }
    fn close(&self) {}
    fn is_idle(&self) -> bool {
        true
    }
    fn pause(&self) {}
    fn after_fork(&self) -> bool {
        true
    }
    fn load(&self, _: &[u8]) -> Result<Module, String> {
        Err(String::new())
    }
    fn unload(&self, _: Module) {}
    fn symbol(&self, _: Module, _: &CStr) -> Option<(Address, usize)> {
        None
    }
    fn kernel(&self, _: Module, _: &CStr) -> Option<Kernel> {
        None
    }
    fn allocate(&self, bytes: usize, _: Space) -> Option<Address> {
        if bytes > 1 << 40 {
            return None;
        }
        self.note(Allocated(bytes));
        // SAFETY: takes sizes.
        Some(unsafe { libc::aligned_alloc(128, bytes.next_multiple_of(128)) } as Address)
    }
    unsafe fn free(&self, memory: Address, bytes: usize, _: Space) {
        self.note(Freed(bytes));
        // SAFETY: allocated above.
        unsafe { libc::free(memory as *mut _) };
    }
    fn stream(&self, _: bool) -> &'static dyn Stream {
        unreachable!("the tests are the stream's users themselves")
    }
}

impl Clock for Fake {
    fn processors(&self) -> i32 {
        1
    }
    fn time(&self) -> u64 {
        0
    }
    fn to_wtime(&self, _: u64) -> f64 {
        0.0
    }
    fn records_inside(&self) -> bool {
        false
    }
}

impl Stream for Fake {
    unsafe fn copy(&self, direction: Direction, to: usize, from: usize, bytes: usize, _: Note) {
        match direction {
            Direction::ToDevice => self.note(To(from, bytes)),
            Direction::FromDevice => self.note(From(to, bytes)),
            Direction::Within => {}
        }
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
    }
    unsafe fn across(&self, _: &dyn Driver, _: Address, _: Address, _: usize, _: Note) -> bool {
        false
    }
    unsafe fn fill(&self, _: Address, _: u8, _: usize, _: Note) {}
    unsafe fn launch(&self, _: &Launch, _: Note) -> Result<(), String> {
        Ok(())
    }
    fn mark(&self) -> Mark {
        Mark { stream: 0, position: 0 }
    }
    fn after(&self, _: Mark) {}
    fn then(&self, job: Box<dyn FnOnce() + Send>) {
        job();
    }
    fn give_back(&'static self) {}
    fn wait(&self) -> Result<(), String> {
        Ok(())
    }
}

/// A variable of a construct: base, begin, bytes, map type.
type Mapped = (usize, usize, usize, u64);

/// A device of its own for each test.
struct Machine {
    device: &'static Device,
    fake: &'static Fake,
    tool: TargetTool,
}

impl Machine {
    fn new() -> Self {
        let fake: &'static Fake = Box::leak(Box::default());
        let device = Box::leak(Box::new(Device::new(0, fake)));
        Machine { device, fake, tool: TargetTool::default() }
    }

    fn context(&self) -> Context<'_> {
        Context { device: self.device, stream: self.fake, asynchronous: false, queues: false, tool: &self.tool }
    }

    /// Executes a construct. The error's text, or the bases after it.
    fn run(
        &self,
        variables: &[Mapped],
        body: impl FnOnce(&mut Work, &Context, &Lists) -> super::failure::Done,
    ) -> Result<Vec<usize>, String> {
        self.run_with(std::ptr::null(), variables, body)
    }

    /// As [`run`](Self::run), with a list of mappers or none.
    fn run_with(
        &self,
        mappers: *const *const c_void,
        variables: &[Mapped],
        body: impl FnOnce(&mut Work, &Context, &Lists) -> super::failure::Done,
    ) -> Result<Vec<usize>, String> {
        let mut bases: Vec<usize> = variables.iter().map(|variable| variable.0).collect();
        let begins: Vec<usize> = variables.iter().map(|variable| variable.1).collect();
        let sizes: Vec<i64> = variables.iter().map(|variable| variable.2 as i64).collect();
        let types: Vec<u64> = variables.iter().map(|variable| variable.3).collect();
        let lists = Lists {
            count: variables.len(),
            bases: bases.as_mut_ptr(),
            begins: begins.as_ptr(),
            sizes: sizes.as_ptr(),
            types: types.as_ptr(),
            names: std::ptr::null(),
            mappers,
        };
        let (mut work, context) = (self.device.works.take(), self.context());
        body(&mut work, &context, &lists).map_err(|failure| failure.to_string())?;
        work.finish(&context);
        self.device.works.give(work);
        Ok(bases)
    }

    fn begin(&self, variables: &[Mapped]) -> Vec<usize> {
        self.try_begin(variables).unwrap()
    }

    fn try_begin(&self, variables: &[Mapped]) -> Result<Vec<usize>, String> {
        // SAFETY: the tests' variables are there.
        self.run(variables, |work, context, lists| unsafe { work.begin(context, lists, false) })
    }

    fn end(&self, variables: &[Mapped]) {
        // SAFETY: as above.
        self.run(variables, |work, context, lists| unsafe { work.end(context, lists) }).unwrap();
    }

    fn update(&self, variables: &[Mapped]) -> Result<Vec<usize>, String> {
        // SAFETY: as above.
        self.run(variables, |work, context, lists| unsafe { work.update(context, lists, 0) })
    }

    /// A target region with its arguments.
    fn region(&self, variables: &[Mapped], kernel: impl FnOnce(&[usize])) {
        let done = self.run(variables, |work, context, lists| {
            // SAFETY: as above.
            unsafe {
                work.begin(context, lists, true)?;
                work.make_arguments(context, 0)?;
                kernel(&work.arguments);
                work.end_region(context);
            }
            Ok(())
        });
        done.unwrap();
    }

    /// What was done since this was last asked.
    fn done(&self) -> Vec<Done> {
        std::mem::take(&mut *self.fake.done.lock().unwrap())
    }

    fn address<T>(&self, variable: &T) -> Option<Address> {
        self.device.maps.device_address(at(variable))
    }

    /// The value of the counterpart.
    fn there<T: Copy>(&self, variable: &T) -> T {
        let address = self.address(variable).expect("mapped");
        // SAFETY: the counterpart is as large.
        unsafe { (address as *const T).read_unaligned() }
    }
}

fn at<T>(variable: &T) -> usize {
    std::ptr::from_ref(variable) as usize
}

fn whole<T>(variable: &T, kind: u64) -> Mapped {
    (at(variable), at(variable), size_of::<T>(), kind)
}

mod pointers;

const TO: u64 = MapType::TO;
const FROM: u64 = MapType::FROM;
const MEMBER_OF_FIRST: u64 = 1 << 48;

/// Hides from the compiler that a variable is written.
fn fresh<T>(value: T) -> Box<T> {
    std::hint::black_box(Box::new(value))
}

/// As clang's mapper for an array of pairs: the array, with the bit of an argument, and each element's number.
///
/// # Safety
/// `list` is the address of a [`Components`] that nobody else uses.
unsafe extern "C" fn pairs(list: *mut Components, base: usize, begin: usize, bytes: i64, kind: u64, name: Name) {
    // SAFETY: the caller keeps to the `# Safety` section.
    let components = unsafe { &mut (*list).0 };
    let both = MapType::TO | MapType::FROM;
    let mut list = |begin, bytes, kind| components.push(Variable { base, begin, bytes, kind: MapType(kind), name });
    list(begin, bytes as usize, kind & !both);
    for element in (0..bytes as usize).step_by(size_of::<[u64; 2]>()) {
        list(begin + element, size_of::<u64>(), both);
    }
}

#[test]
fn an_array_with_a_mapper_was_two_arguments() {
    let (machine, array) = (Machine::new(), fresh([[1_u64, 2], [3, 4]]));
    let mappers = [pairs as *const c_void];
    let variables = [whole(&*array, TO | FROM | MapType::TARGET_PARAM)];
    let done = machine.run_with(mappers.as_ptr(), &variables, |work, context, lists| {
        // SAFETY: the array is there.
        unsafe {
            work.begin(context, lists, true)?;
            work.make_arguments(context, 0)?;
            assert_eq!(work.arguments, [machine.address(&*array).unwrap()]);
            work.end_region(context);
        }
        Ok(())
    });
    done.unwrap();
}

#[test]
fn values_go_there_and_back() {
    let (machine, x) = (Machine::new(), fresh(7_u64));
    machine.region(&[whole(&*x, TO | FROM | MapType::TARGET_PARAM)], |arguments| {
        // SAFETY: the counterpart of `x`.
        unsafe { *(arguments[0] as *mut u64) *= 6 };
    });
    assert_eq!(*std::hint::black_box(&x), fresh(42));
    assert_eq!(machine.done(), [Allocated(8), To(at(&*x), 8), From(at(&*x), 8), Freed(8)]);
    assert_eq!(machine.address(&*x), None);
}

#[test]
fn the_last_reference_copies_back() {
    let (machine, x) = (Machine::new(), fresh(1_u32));
    machine.begin(&[whole(&*x, TO)]);
    machine.begin(&[whole(&*x, TO)]);
    machine.region(&[whole(&*x, TO | FROM)], |_| ());
    assert_eq!(machine.done(), [Allocated(4), To(at(&*x), 4)]);
    machine.end(&[whole(&*x, FROM)]);
    assert_eq!(machine.done(), []);
    machine.end(&[whole(&*x, FROM)]);
    assert_eq!(machine.done(), [From(at(&*x), 4), Freed(4)]);
    machine.end(&[whole(&*x, FROM)]);
    assert_eq!(machine.done(), []);
}

#[test]
fn always_copies_whatever_the_count() {
    let (machine, x) = (Machine::new(), fresh(1_u32));
    machine.begin(&[whole(&*x, 0)]);
    machine.begin(&[whole(&*x, TO | MapType::ALWAYS)]);
    machine.end(&[whole(&*x, FROM | MapType::ALWAYS)]);
    assert_eq!(machine.done(), [Allocated(4), To(at(&*x), 4), From(at(&*x), 4)]);
}

#[test]
fn delete_takes_all_references_but_those_held() {
    let (machine, x) = (Machine::new(), fresh(1_u32));
    for _ in 0..3 {
        machine.begin(&[whole(&*x, 0)]);
    }
    machine.begin(&[whole(&*x, MapType::HOLD)]);
    machine.end(&[whole(&*x, MapType::DELETE)]);
    assert!(machine.address(&*x).is_some());
    machine.end(&[whole(&*x, MapType::HOLD)]);
    assert_eq!(machine.done(), [Allocated(4), Freed(4)]);
}

#[test]
fn what_is_associated_stays() {
    let (machine, x, memory) = (Machine::new(), fresh([1_u32; 4]), fresh([0_u32; 4]));
    assert!(machine.device.maps.associate(at(&*x), 16, at(&*memory)));
    assert!(machine.device.maps.associate(at(&*x), 16, at(&*memory)));
    assert!(!machine.device.maps.associate(at(&x[1]), 16, at(&*memory)));
    machine.region(&[whole(&*x, TO | FROM)], |_| ());
    machine.end(&[whole(&*x, MapType::DELETE)]);
    assert_eq!(machine.done(), []);
    assert_eq!(machine.address(&x[2]), Some(at(&memory[2])));
    assert_eq!(machine.device.maps.disassociate(at(&*x)), Some((at(&*memory), 16)));
    assert_eq!(machine.device.maps.disassociate(at(&*x)), None);
}

#[test]
fn a_range_that_is_mapped_in_part_is_an_error() {
    let (machine, a) = (Machine::new(), fresh([1_u8; 40]));
    machine.begin(&[(at(&*a), at(&a[10]), 10, 0)]);
    for (begin, bytes) in [(5, 10), (15, 10), (5, 30), (19, 2)] {
        let error = machine.try_begin(&[(at(&*a), at(&a[begin]), bytes, TO)]).unwrap_err();
        let there = format!("{:#x}..{:#x}", at(&a[10]), at(&a[20]));
        let asked = format!("map(to), {:#x}..{:#x} ({bytes} bytes)", at(&a[begin]), at(&a[begin]) + bytes);
        assert!(error.contains(&there) && error.contains(&asked), "{error}");
    }
    // Beside it there is room, and what the program did not ask for has what there is.
    machine.begin(&[(at(&*a), at(&*a), 10, 0), (at(&*a), at(&a[20]), 20, 0)]);
    machine.begin(&[(at(&*a), at(&a[15]), 10, TO | MapType::IMPLICIT)]);
}

#[test]
fn present_must_be() {
    let (machine, x) = (Machine::new(), fresh([1_u32; 2]));
    let error = machine.try_begin(&[whole(&*x, TO | MapType::PRESENT)]).unwrap_err();
    assert!(error.contains("present") && error.contains("(8 bytes)"), "{error}");
    assert!(machine.update(&[whole(&*x, TO | MapType::PRESENT)]).is_err());
    machine.begin(&[whole(&x[0], 0)]);
    assert!(machine.update(&[whole(&*x, TO | MapType::PRESENT)]).is_err());
    assert!(machine.try_begin(&[whole(&x[0], MapType::PRESENT)]).is_ok());
}

#[test]
fn no_memory_is_an_error() {
    let (machine, x) = (Machine::new(), fresh(1_u32));
    let error = machine.try_begin(&[(at(&*x), at(&*x), 1 << 41, 0)]).unwrap_err();
    assert!(error.contains("no memory") && error.contains("map(alloc)"), "{error}");
}

#[test]
fn sections_without_elements() {
    let (machine, a) = (Machine::new(), fresh([1_u32; 10]));
    let argument = |kind| {
        let mut got = 0;
        machine.region(&[(at(&*a), at(&a[3]), 0, kind | MapType::TARGET_PARAM)], |arguments| got = arguments[0]);
        got
    };
    assert_eq!(argument(TO | FROM), at(&*a), "what is not mapped keeps its address");
    machine.begin(&[(at(&*a), at(&a[2]), 16, TO)]);
    assert_eq!(argument(TO | FROM), machine.address(&a[2]).unwrap() - 8);
    machine.done();
    machine.end(&[(at(&*a), at(&a[2]), 16, FROM)]);
    assert_eq!(machine.done(), [From(at(&a[2]), 16), Freed(16)]);
}

#[test]
fn device_addresses_for_the_program() {
    let (machine, a, other) = (Machine::new(), fresh([1_u32; 10]), fresh(5));
    let returned = TO | MapType::RETURN_PARAM;
    let bases =
        machine.begin(&[(at(&*a), at(&a[4]), 8, returned), (at(&*other), at(&*other), 0, MapType::RETURN_PARAM)]);
    assert_eq!(bases, [machine.address(&a[4]).unwrap() - 16, at(&*other)]);
}

/// A structure of which a member points to an array.
#[repr(C)]
struct Pointing {
    before: u64,
    pointer: *mut u32,
    after: u64,
}

/// `map(kind: s, s.pointer[0:4])`
fn pointing(s: &Pointing, kind: u64) -> [Mapped; 3] {
    let pointer = at(&s.pointer);
    [
        whole(s, 0),
        (at(s), at(s), size_of::<Pointing>(), MEMBER_OF_FIRST | kind),
        (pointer, s.pointer as usize, 16, MEMBER_OF_FIRST | MapType::PTR_AND_OBJ | kind),
    ]
}

#[test]
fn pointers_are_attached_and_left_alone() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32, 2, 3, 4]));
    let mut s = fresh(Pointing { before: 10, pointer: a.as_mut_ptr(), after: 20 });
    machine.begin(&pointing(&s, TO));
    assert_eq!(machine.there(&s.pointer) as usize, machine.address(&*a).unwrap());
    machine.done();
    // The host's pointer may point elsewhere by now; neither side gets the other's.
    let elsewhere = std::ptr::without_provenance_mut(0x1234_5678);
    (s.pointer, s.after) = (elsewhere, 30);
    machine.update(&[whole(&*s, TO)]).unwrap();
    assert_eq!(machine.done(), [To(at(&s.before), 8), To(at(&s.after), 8)]);
    assert_eq!((machine.there(&s.pointer) as usize, machine.there(&s.after)), (machine.address(&*a).unwrap(), 30));
    machine.end(&[whole(&*s, FROM)]);
    assert_eq!(machine.done(), [From(at(&s.before), 8), From(at(&s.after), 8), Freed(24)]);
    assert_eq!(std::hint::black_box(s.pointer), elsewhere);
}

#[test]
fn members_are_copied_back_with_the_last_reference() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32, 2, 3, 4]));
    let s = fresh(Pointing { before: 10, pointer: a.as_mut_ptr(), after: 20 });
    machine.begin(&pointing(&s, TO));
    machine.region(&pointing(&s, TO | FROM), |_| ());
    machine.done();
    machine.end(&pointing(&s, FROM));
    let done = machine.done();
    assert_eq!(done.iter().filter(|done| matches!(done, From(..))).count(), 3, "{done:?}");
    assert_eq!(done.iter().filter(|done| matches!(done, Freed(_))).count(), 2, "{done:?}");
    assert_eq!((machine.address(&*s), machine.address(&*a)), (None, None));
}

#[test]
fn a_pointer_is_attached_again_to_what_is_mapped_anew() {
    let (machine, mut a, mut b) = (Machine::new(), fresh([1_u32; 4]), fresh([2_u32; 4]));
    let mut s = fresh(Pointing { before: 0, pointer: a.as_mut_ptr(), after: 0 });
    machine.begin(&pointing(&s, TO));
    machine.begin(&pointing(&s, TO));
    s.pointer = b.as_mut_ptr();
    machine.begin(&pointing(&s, TO));
    assert_eq!(machine.there(&s.pointer) as usize, machine.address(&*b).unwrap());
}

#[test]
fn members_are_aligned_as_in_their_structure() {
    #[repr(C, align(64))]
    struct Wide([u8; 128]);
    let (machine, s) = (Machine::new(), fresh(Wide([0; 128])));
    let (base, begin) = (at(&*s), at(&s.0[40]));
    machine.begin(&[(base, begin, 80, 0), (base, begin, 80, MEMBER_OF_FIRST | TO)]);
    assert_eq!(machine.address(&s.0[64]).unwrap() % 64, 0);
    machine.end(&[(base, begin, 80, 0)]);
    assert_eq!(machine.done().last(), Some(&Freed(120)));
}

#[test]
fn private_variables_are_transferred_together_and_aligned() {
    #[repr(C, align(64))]
    struct Wide([u8; 64]);
    let (machine, small, wide, large) = (Machine::new(), fresh([1_u8; 3]), fresh(Wide([2; 64])), fresh([3_u8; 5000]));
    let (private, first) = (MapType::PRIVATE | MapType::TARGET_PARAM, MapType::PRIVATE | MapType::TARGET_PARAM | TO);
    let variables = [
        whole(&*small, first),
        whole(&*large, first),
        whole(&*wide, first),
        whole(&*large, private),
        (77, 0, 8, MapType::LITERAL | MapType::TARGET_PARAM),
    ];
    machine.region(&variables, |arguments| {
        // SAFETY: copies of the variables.
        unsafe {
            assert_eq!(*(arguments[0] as *const [u8; 3]), *small);
            assert_eq!(*(arguments[1] as *const [u8; 5000]), *large);
            assert_eq!((*(arguments[2] as *const Wide)).0, wide.0);
            *(arguments[3] as *mut [u8; 5000]) = [9; 5000];
            assert_eq!(*(arguments[1] as *const [u8; 5000]), *large);
        }
        assert_eq!((arguments[2] % 64, arguments[4]), (0, 77));
    });
    let done = machine.done();
    assert_eq!(done.iter().filter(|done| matches!(done, To(..))).count(), 2, "{done:?}");
    assert!(matches!(done[..], [Allocated(bytes), .., Freed(same)] if bytes == same), "{done:?}");
}

#[test]
fn pieces_are_updated() {
    let (machine, a) = (Machine::new(), fresh([[1_u32; 5]; 3]));
    machine.begin(&[whole(&*a, TO)]);
    machine.done();
    let dimensions = [Dimension { offset: 0, count: 2, stride: 40 }, Dimension { offset: 1, count: 2, stride: 4 }];
    let described = (at(&*a), dimensions.as_ptr() as usize, 2, FROM | MapType::NON_CONTIGUOUS);
    machine.update(&[described]).unwrap();
    assert_eq!(machine.done(), [From(at(&a[0][1]), 8), From(at(&a[2][1]), 8)]);
}

#[test]
fn threads_map_one_variable_at_once() {
    let (machine, x) = (Machine::new(), fresh(0_u64));
    let variable = whole(&*x, TO | FROM | MapType::TARGET_PARAM);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let own = Machine { device: machine.device, fake: machine.fake, tool: TargetTool::default() };
                for _ in 0..2000 {
                    own.region(&[variable], |arguments| {
                        // SAFETY: the counterpart; all threads add atomically.
                        let there = unsafe { crate::model::atomic::AtomicU64::from_ptr(arguments[0] as *mut u64) };
                        there.fetch_add(1, crate::model::atomic::Ordering::Relaxed);
                    });
                }
            });
        }
    });
    assert_eq!(*std::hint::black_box(&x), fresh(8000));
    assert_eq!(machine.address(&*x), None);
}

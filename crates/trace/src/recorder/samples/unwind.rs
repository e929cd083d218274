//! Who called the interrupted code: the return addresses on its stack, found by the tables for exceptions
//! (`.eh_frame`), else by frame pointers.
//!
//! The tables are read from the modules' files, through mappings that stay. The loaded modules themselves would not do:
//! the program may unload one while a handler reads its tables.

use crate::arch::{self, UnwindCache, UnwindRegisters};
use crate::store::sample::DEEPEST;
use crate::store::{Module, Modules, files};
use framehop::{ExplicitModuleSectionInfo, FrameAddress, MustNotAllocateDuringUnwind, Unwinder as _};
use object::{Object as _, ObjectSection as _, ObjectSegment as _, SegmentFlags};
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicPtr, Ordering};

/// On smaller stacks nothing is unwound, because the unwinder needs some kilobytes of stack itself.
const SMALLEST_STACK: u64 = 256 << 10;
/// With less stack left than this, one sample is not unwound.
const SMALLEST_REST: u64 = 32 << 10;

/// A handler unwinds nothing on a stack of the program's with less left than this. Such a stack is small in some
/// programs: 8 KiB on the main thread of one in Rust.
const SMALLEST_REST_OF_HANDLER: u64 = 24 << 10;

/// The smallest page.
const PAGE: u64 = 4096;

type Unwinder = arch::Unwinder<&'static [u8], MustNotAllocateDuringUnwind>;

/// The modules that handlers know. Null at first; never freed, because a handler may be using it.
static CURRENT: AtomicPtr<Known> = AtomicPtr::new(std::ptr::null_mut());

/// The code of the process, for handlers.
struct Known {
    unwinder: Unwinder,
    /// Where code is, in ascending order.
    code: Vec<Range<u64>>,
}

/// The tables of the files that have been mapped so far, by path.
#[derive(Default)]
pub struct Files(HashMap<String, Option<Tables>>);

/// The parts of a file that unwinding needs.
#[derive(Clone)]
struct Tables {
    info: ExplicitModuleSectionInfo<&'static [u8]>,
    /// `(file offset, size in the file, virtual address)` of each segment with code.
    segments: Vec<(u64, u64, u64)>,
}

/// Lets handlers know these modules from here on, and no others. Files that are not in `files` are mapped for good.
pub fn know(modules: &Modules, files: &mut Files) {
    let mut known = Known { unwinder: Unwinder::new(), code: Vec::new() };
    for module in modules.iter() {
        known.code.push(module.start..module.end);
        let tables = files.0.entry(module.path.clone()).or_insert_with(|| Tables::of(module));
        let Some(tables) = tables.as_ref() else { continue };
        // The file's addresses count from here in memory.
        let Some(base) = tables.base(module) else { continue };
        let range = module.start..module.end;
        known.unwinder.add_module(framehop::Module::new(String::new(), range, base, tables.info.clone()));
    }
    known.code.sort_by_key(|range| range.start);
    CURRENT.store(Box::into_raw(Box::new(known)), Ordering::Release);
}

impl Tables {
    fn of(module: &Module) -> Option<Tables> {
        if !module.path.starts_with('/') {
            return None;
        }
        let file = files::open(Path::new(&module.path)).ok()?;
        // SAFETY: the loader has mapped the file as well; whoever shortens it kills the program anyway.
        let map: &'static memmap2::Mmap = Box::leak(Box::new(unsafe { memmap2::Mmap::map(&file) }.ok()?));
        let object = object::File::parse(&**map).ok()?;
        let section = |name| {
            let section = object.section_by_name(name)?;
            Some((section.address()..section.address().checked_add(section.size())?, section.data().ok()))
        };
        let (frames, index, text, got) =
            (section(".eh_frame")?, section(".eh_frame_hdr")?, section(".text"), section(".got"));
        let info = ExplicitModuleSectionInfo {
            base_svma: 0,
            text_svma: text.map(|(range, _)| range),
            got_svma: got.map(|(range, _)| range),
            eh_frame_svma: Some(frames.0),
            eh_frame: frames.1,
            eh_frame_hdr_svma: Some(index.0),
            eh_frame_hdr: index.1,
            ..ExplicitModuleSectionInfo::default()
        };
        let code = |segment: &object::Segment<'_, '_>| match segment.flags() {
            SegmentFlags::Elf { p_flags, .. } => p_flags.0 & object::elf::PF_X.0 != 0,
            _ => false,
        };
        let segments = object.segments().filter(code).map(|segment| {
            let (offset, size) = segment.file_range();
            (offset, size, segment.address())
        });
        Some(Tables { info, segments: segments.collect() })
    }

    /// The address in memory that the file calls 0.
    fn base(&self, module: &Module) -> Option<u64> {
        // A mapping begins on a page, even if the segment begins later on that page.
        let pages = |(offset, size, _): &&(u64, u64, u64)| {
            (offset & !(PAGE - 1)..offset.saturating_add(*size)).contains(&module.offset)
        };
        let (offset, _, address) = self.segments.iter().find(pages)?;
        module.start.checked_sub(address.wrapping_sub(*offset).wrapping_add(module.offset))
    }
}

/// What one thread needs to unwind its stack.
pub struct Stack {
    cache: UnwindCache<MustNotAllocateDuringUnwind>,
    bounds: Range<u64>,
}

/// What is known of a sample's code.
pub struct Found {
    /// How many return addresses were found.
    pub depth: usize,
    /// Whether some code belongs to no known module.
    pub strange: bool,
}

impl Stack {
    /// For the calling thread. None if its stack is not known, or too small.
    pub fn of_this_thread() -> Option<Stack> {
        bounds().map(Stack::within)
    }

    fn within(bounds: Range<u64>) -> Stack {
        Stack { cache: UnwindCache::new_in(), bounds }
    }

    /// Writes the return addresses of the code that was interrupted with these registers to `callers`, the innermost
    /// first. Stops at the first one in code that `is_runtime` accepts, except where the runtime itself was
    /// interrupted. Does not allocate.
    pub fn unwind(
        &mut self,
        registers: UnwindRegisters,
        is_runtime: impl Fn(u64) -> bool,
        callers: &mut [u64; DEEPEST],
    ) -> Found {
        let (ip, sp) = (registers.ip(), registers.sp());
        // SAFETY: null or a value that is never freed.
        let known = unsafe { CURRENT.load(Ordering::Acquire).as_ref() };
        let mut found = Found { depth: 0, strange: false };
        let Some(known) = known else { return found };
        found.strange = !known.has(ip);
        // Rather no callers than a read outside of the stack: a program may run on stacks of its own.
        if !(self.bounds.start.saturating_add(SMALLEST_REST)..self.bounds.end).contains(&sp) {
            return found;
        }
        let end = self.bounds.end;
        let mut read = |address: u64| {
            if address < sp || !address.is_multiple_of(8) || address > end - 8 {
                return Err(());
            }
            // SAFETY: the part of the thread's stack that is in use, which is mapped.
            Ok(unsafe { (address as *const u64).read_volatile() })
        };
        let mut frames = known.unwinder.iter_frames(ip, registers, &mut self.cache, &mut read);
        let mut in_runtime = true;
        while let Ok(Some(frame)) = frames.next() {
            let address = frame.address();
            if !in_runtime && is_runtime(address) {
                break;
            }
            in_runtime &= is_runtime(address);
            if let FrameAddress::ReturnAddress(_) = frame {
                // Without tables, words that are no return addresses may be taken for such.
                if !known.has(address.wrapping_sub(1)) {
                    found.strange = true;
                    break;
                }
                let Some(place) = callers.get_mut(found.depth) else { break };
                *place = address;
                found.depth += 1;
            }
        }
        found
    }
}

/// Whether the stack that a handler runs on has room for the unwinder. `context` is the handler's own.
pub fn has_room(context: &libc::ucontext_t) -> bool {
    let alternate = context.uc_stack;
    let left = arch::registers().sp().wrapping_sub(alternate.ss_sp as u64);
    alternate.ss_size == 0 || left >= SMALLEST_REST_OF_HANDLER
}

/// The return addresses of the calling thread's stack, from the caller of the function that `codeptr` is in on, the
/// innermost first; written to `stack`. Empty if `codeptr` is not on the stack, or if nothing can be unwound.
pub fn callers_of(codeptr: u64, stack: &mut [u64; DEEPEST]) -> &[u64] {
    match bounds() {
        Some(bounds) if arch::registers().sp() >= bounds.start.saturating_add(SMALLEST_REST) => {
            callers_within(bounds, codeptr, stack)
        }
        _ => &[],
    }
}

/// As [`callers_of`]. Not inlined there: this takes some kilobytes of stack, which might not be left.
#[inline(never)]
fn callers_within(bounds: Range<u64>, codeptr: u64, stack: &mut [u64; DEEPEST]) -> &[u64] {
    let found = Stack::within(bounds).unwind(arch::registers(), |_| false, stack);
    let stack = &stack[..found.depth];
    stack.iter().position(|address| *address == codeptr).map_or(&[], |own| &stack[own + 1..])
}

impl Known {
    fn has(&self, address: u64) -> bool {
        let after = self.code.partition_point(|range| range.start <= address);
        after > 0 && address < self.code[after - 1].end
    }
}

/// The calling thread's stack, unless it is too small.
fn bounds() -> Option<Range<u64>> {
    let (mut start, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: plain calls; the first fills the attributes that the second reads and the third frees.
    let known = unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return None;
        }
        let status = libc::pthread_attr_getstack(&attributes, &mut start, &mut size);
        libc::pthread_attr_destroy(&mut attributes);
        status == 0
    };
    let (start, size) = (start as u64, size as u64);
    (known && size >= SMALLEST_STACK).then_some(start..start.checked_add(size)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unwinds from here, with `runtime` as the runtime's code.
    #[inline(never)]
    fn here(runtime: Range<u64>) -> Vec<u64> {
        know(&Modules::of_this_process(), &mut Files::default());
        let mut stack = Stack::of_this_thread().unwrap();
        // SAFETY: the call writes the structure, for which zeros are valid; it cannot fail.
        let registers = unsafe {
            let mut context: libc::ucontext_t = std::mem::zeroed();
            libc::getcontext(&mut context);
            arch::interrupted(&context)
        };
        let mut callers = [0; DEEPEST];
        let found = stack.unwind(registers, |address| runtime.contains(&address), &mut callers);
        assert!(!found.strange);
        callers[..found.depth].to_vec()
    }

    #[inline(never)]
    fn middle(runtime: Range<u64>) -> Vec<u64> {
        std::hint::black_box(here(runtime))
    }

    fn names(callers: &[u64]) -> Vec<String> {
        let mut symbols = crate::symbols::Symbolizer::new(&Modules::of_this_process());
        let name = |address: &u64| symbols.locate(*address).symbol.clone().unwrap_or_default();
        callers.iter().map(name).collect()
    }

    #[test]
    fn callers_are_found_up_to_the_runtime() {
        let all = middle(0..0);
        let names = names(&all);
        assert!(names[0].contains("middle") && names[1].contains("callers_are_found"), "{names:?}");
        assert!(all.len() > 4, "{names:?}");
        // The caller of the test stands for the runtime.
        assert_eq!(middle(all[2]..all[2] + 1).len(), 2);
    }

    #[test]
    fn unknown_code_is_strange() {
        know(&Modules::of_this_process(), &mut Files::default());
        let mut stack = Stack::of_this_thread().unwrap();
        let inside = stack.bounds.end - 4096;
        let found = stack.unwind(UnwindRegisters::new(16, inside, inside), |_| false, &mut [0; DEEPEST]);
        assert!(found.strange && found.depth == 0);
    }

    #[test]
    fn small_stacks_are_left_alone() {
        let small = std::thread::Builder::new().stack_size(64 << 10);
        assert!(small.spawn(|| Stack::of_this_thread().is_none()).unwrap().join().unwrap());
    }
}

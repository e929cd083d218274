//! Pointers that are mapped together with what they point to, as clang lists them.

use super::super::types::MapType;
use super::{Allocated, FROM, Freed, From, MEMBER_OF_FIRST, Machine, Mapped, TO, To, at, fresh, whole};

/// `map(kind: pointer[begin:count], pointer)`
fn with_pointer(pointer: &*mut u32, begin: usize, count: usize, kind: u64) -> Mapped {
    (at(pointer), pointer.wrapping_add(begin) as usize, 4 * count, kind | MapType::PTR_AND_OBJ | MapType::TARGET_PARAM)
}

/// `map(kind: pointer[begin:count])`
fn section(pointer: *mut u32, begin: usize, count: usize, kind: u64) -> Mapped {
    (pointer as usize, pointer.wrapping_add(begin) as usize, 4 * count, kind)
}

#[test]
fn a_pointer_listed_with_its_section_was_not_mapped() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32, 2, 3, 4]));
    let pointer = fresh(a.as_mut_ptr());
    machine.begin(&[with_pointer(&pointer, 1, 3, TO)]);
    let done = machine.done();
    assert!(matches!(done[..], [Allocated(8), Allocated(12), To(_, 12), To(_, 8)]), "{done:?}");
    assert_eq!(machine.there(&*pointer) as usize, machine.address(&a[1]).unwrap() - 4);
    // Both were counted once, and each is released by itself.
    machine.end(&[section(*pointer, 1, 3, FROM)]);
    assert_eq!(machine.done(), [From(at(&a[1]), 12), Freed(12)]);
    assert!(machine.address(&*pointer).is_some());
    machine.end(&[whole(&*pointer, FROM)]);
    assert_eq!(machine.done(), [Freed(8)], "an attached pointer is not copied back");
}

#[test]
fn a_pointer_listed_with_its_section_goes_with_it() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32, 2, 3, 4]));
    let pointer = fresh(a.as_mut_ptr());
    let (both, present) =
        (|kind| [with_pointer(&pointer, 0, 4, kind)], || (machine.address(&*pointer), machine.address(&*a)));
    machine.begin(&both(TO));
    machine.begin(&both(TO));
    machine.end(&both(FROM));
    assert!(matches!(present(), (Some(_), Some(_))));
    machine.end(&both(FROM));
    assert_eq!(present(), (None, None));
    machine.begin(&both(TO));
    machine.begin(&both(TO));
    machine.end(&both(MapType::DELETE));
    assert_eq!(present(), (None, None));
    machine.begin(&both(TO | MapType::HOLD));
    machine.end(&both(MapType::DELETE));
    assert!(matches!(present(), (Some(_), Some(_))));
    machine.end(&both(MapType::HOLD));
    assert_eq!(present(), (None, None));
    machine.region(&both(TO | FROM), |arguments| assert_eq!(Some(arguments[0]), present().1));
    assert_eq!(present(), (None, None));
}

#[test]
fn a_global_pointer_is_not_mapped_by_its_section() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32, 2, 3, 4]));
    let pointer = fresh(a.as_mut_ptr());
    let global = |kind| [(at(&*pointer), at(&*a), 16, kind | MapType::PTR_AND_OBJ)];
    machine.begin(&global(TO));
    assert_eq!(machine.address(&*pointer), None);
    machine.begin(&[with_pointer(&pointer, 0, 4, TO)]);
    machine.end(&global(FROM));
    machine.end(&global(FROM));
    assert!(machine.address(&*pointer).is_some() && machine.address(&*a).is_none());
}

#[test]
fn a_pointer_listed_with_two_sections_is_counted_once() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32, 2, 3, 4]));
    let pointer = fresh(a.as_mut_ptr());
    machine.begin(&[with_pointer(&pointer, 0, 1, TO), with_pointer(&pointer, 2, 2, TO)]);
    machine.end(&[whole(&*pointer, 0)]);
    assert_eq!(machine.address(&*pointer), None);
    assert!(machine.address(&a[0]).is_some() && machine.address(&a[2]).is_some());
}

#[test]
fn a_pointer_in_between_is_counted_by_its_own_entry() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32, 2, 3, 4]));
    let row = fresh(a.as_mut_ptr());
    // `map(to: rows[0][0:4])`
    let chain = |kind| [whole(&*row, kind), with_pointer(&row, 0, 4, kind)];
    machine.begin(&chain(TO));
    assert_eq!(machine.there(&*row) as usize, machine.address(&*a).unwrap());
    machine.end(&[whole(&*row, 0)]);
    assert_eq!(machine.address(&*row), None);
}

#[test]
fn a_pointer_listed_with_an_empty_section_has_its_value() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32; 4]));
    let pointer = fresh(a.as_mut_ptr());
    machine.begin(&[with_pointer(&pointer, 0, 0, TO | FROM)]);
    assert_eq!(machine.there(&*pointer), *pointer);
    machine.end(&[with_pointer(&pointer, 0, 0, TO | FROM)]);
    assert_eq!(machine.done(), [Allocated(8), To(at(&*pointer), 8), Freed(8)]);
    // Of what is mapped already it has the address.
    machine.begin(&[section(*pointer, 0, 4, TO)]);
    machine.begin(&[with_pointer(&pointer, 2, 0, TO)]);
    assert_eq!(machine.there(&*pointer) as usize, machine.address(&*a).unwrap());
}

#[test]
fn a_pointer_listed_with_its_section_must_be_present_too() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32; 4]));
    let pointer = fresh(a.as_mut_ptr());
    machine.begin(&[section(*pointer, 0, 4, TO)]);
    let both = [with_pointer(&pointer, 0, 4, TO | MapType::PRESENT)];
    let error = machine.try_begin(&both).unwrap_err();
    assert!(error.contains("present") && error.contains("(8 bytes)"), "{error}");
    machine.begin(&[whole(&*pointer, TO)]);
    assert!(machine.try_begin(&both).is_ok());
}

#[test]
fn a_pointer_said_to_be_a_member_of_what_it_points_to_was_never_released() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32; 4]));
    let pointer = fresh(a.as_mut_ptr());
    // `map(tofrom: s->first, s)`
    let member = |variable: Mapped| (variable.0, variable.1, variable.2, variable.3 | MEMBER_OF_FIRST);
    let list = [whole(&*a, 0), member(whole(&a[0], TO | FROM)), member(whole(&*pointer, TO))];
    machine.begin(&list);
    machine.begin(&list);
    machine.end(&list);
    assert!(machine.address(&*pointer).is_some());
    machine.end(&list);
    assert_eq!((machine.address(&*pointer), machine.address(&*a)), (None, None));
    machine.region(&list, |_| ());
    assert_eq!((machine.address(&*pointer), machine.address(&*a)), (None, None));
}

/// What clang 22 lists for a pointer of which a section is mapped: the pointer becomes attached to it, whatever maps
/// the pointer.
fn attached(pointer: &*mut u32, begin: usize, kind: u64) -> Mapped {
    (at(pointer), pointer.wrapping_add(begin) as usize, 8, kind | MapType::ATTACH)
}

#[test]
fn a_pointer_listed_by_itself_was_taken_for_a_variable() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32, 2, 3, 4]));
    let pointer = fresh(a.as_mut_ptr());
    // The pointer is not mapped, and so nothing becomes attached; nor is it counted.
    machine.begin(&[section(*pointer, 1, 3, TO), attached(&pointer, 1, 0)]);
    assert_eq!(machine.done(), [Allocated(12), To(at(&a[1]), 12)]);
    machine.end(&[section(*pointer, 1, 3, FROM), attached(&pointer, 1, 0)]);
    assert_eq!(machine.done(), [From(at(&a[1]), 12), Freed(12)]);
    assert_eq!(machine.address(&*pointer), None);
    // In whatever order the two are listed, the pointer is written after all that is copied.
    machine.begin(&[attached(&pointer, 1, 0), whole(&*pointer, TO), section(*pointer, 1, 3, TO)]);
    let done = machine.done();
    assert!(matches!(done[..], [Allocated(8), Allocated(12), To(_, 8), To(_, 12), To(_, 8)]), "{done:?}");
    assert_eq!(machine.there(&*pointer) as usize, machine.address(&a[1]).unwrap() - 4);
    // Neither side's pointer is ever the other's.
    machine.update(&[whole(&*pointer, FROM), whole(&*pointer, TO)]).unwrap();
    assert_eq!((machine.done(), *pointer), (vec![], a.as_mut_ptr()));
}

#[test]
fn pointers_become_attached_when_one_side_is_new_or_always() {
    let (machine, mut a, mut b) = (Machine::new(), fresh([1_u32; 4]), fresh([2_u32; 4]));
    let mut pointer = fresh(a.as_mut_ptr());
    let there = |machine: &Machine, pointer: &*mut u32| machine.there(pointer) as usize;
    machine.begin(&[whole(&*a, TO), whole(&*b, TO), whole(&*pointer, TO)]);
    // Both are there already.
    machine.begin(&[whole(&*a, TO), attached(&pointer, 0, 0)]);
    assert_eq!(there(&machine, &pointer), at(&*a));
    machine.begin(&[whole(&*a, TO), attached(&pointer, 0, MapType::ALWAYS)]);
    assert_eq!(there(&machine, &pointer), machine.address(&*a).unwrap());
    // The pointer is another one on the host now, and what it points to is new there.
    machine.end(&[whole(&*b, MapType::DELETE)]);
    *pointer = b.as_mut_ptr();
    let done = machine.done().len();
    machine.region(&[section(*pointer, 2, 2, TO | MapType::TARGET_PARAM), attached(&pointer, 2, 0)], |arguments| {
        assert_eq!(arguments.len(), 1, "an attachment is no argument");
        assert_eq!(arguments[0], machine.address(&b[2]).unwrap() - 8);
        assert_eq!(there(&machine, &pointer), arguments[0]);
    });
    assert!(done > 0);
    // A target region's end and `target update` leave attachments alone.
    machine.update(&[attached(&pointer, 2, 0)]).unwrap();
    machine.end(&[attached(&pointer, 2, 0)]);
    assert!(machine.address(&*pointer).is_some() && machine.address(&b[2]).is_none());
}

#[test]
fn a_descriptor_keeps_what_follows_its_pointer() {
    let (machine, mut a) = (Machine::new(), fresh([1_u32; 4]));
    let descriptor = fresh((a.as_mut_ptr(), 7_u64, 9_u64));
    let entry = (at(&*descriptor), a.as_ptr() as usize, 24, MapType::ATTACH);
    machine.begin(&[whole(&*descriptor, 0), whole(&*a, 0), entry]);
    let address = machine.address(&*a).unwrap();
    assert_eq!(machine.there(&*descriptor), (address as *mut u32, 7, 9));
    // A kernel has a copy of its own of it.
    let private = (entry.0, entry.1, 24, MapType::ATTACH | MapType::PRIVATE | MapType::TARGET_PARAM);
    machine.region(&[private], |arguments| {
        // SAFETY: the copy is as large.
        let copy = unsafe { *(arguments[0] as *const (usize, u64, u64)) };
        assert_eq!(copy, (address, 7, 9));
    });
    machine.end(&[whole(&*a, MapType::DELETE)]);
    machine.region(&[private], |arguments| {
        // SAFETY: as above.
        let copy = unsafe { *(arguments[0] as *const (usize, u64, u64)) };
        assert_eq!(copy, (a.as_ptr() as usize, 7, 9), "what is not mapped is where it is on the host");
    });
}

#[test]
fn pointers_to_what_is_not_mapped_become_null_where_asked() {
    let (machine, x) = (Machine::new(), fresh(1_u32));
    let asked = |kind| [(at(&*x), at(&*x), 0, MapType::RETURN_PARAM | kind)];
    assert_eq!(machine.begin(&asked(0)), [at(&*x)]);
    assert_eq!(machine.begin(&asked(MapType::FB_NULLIFY)), [0]);
    machine.begin(&[whole(&*x, TO)]);
    assert_eq!(machine.begin(&asked(MapType::FB_NULLIFY)), [machine.address(&*x).unwrap()]);
}

#[test]
fn bits_that_are_not_known_were_ignored() {
    let (machine, x) = (Machine::new(), fresh(1_u32));
    let error = machine.try_begin(&[whole(&*x, TO), whole(&*x, TO | 0x1_0000)]).unwrap_err();
    assert!(error.contains("0x10000") && error.contains("map(to)"), "{error}");
    assert!(machine.update(&[whole(&*x, TO | 0x800)]).unwrap_err().contains("0x800"));
    assert_eq!(machine.done(), []);
}

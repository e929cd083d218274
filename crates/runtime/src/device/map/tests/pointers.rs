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
    let (both, present) = (|kind| [with_pointer(&pointer, 0, 4, kind)], || (machine.address(&*pointer), machine.address(&*a)));
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

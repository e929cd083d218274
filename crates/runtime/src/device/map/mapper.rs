//! The items of a construct's variables. User-defined mappers replace their variables by components (OpenMP 5.1
//! §2.21.7.4).

use super::failure::{Done, Failure};
use super::items::{COMPONENT, Item, NO_INDEX, Work, flag};
use super::types::{Lists, MapType, Name, POINTER, Variable};
use std::ffi::c_void;

/// The components that a mapper has listed so far. The program's code has the address as a handle.
#[derive(Default)]
pub struct Components(pub Vec<Variable>);

/// The function that the compiler makes of a `declare mapper` directive.
type Mapper = unsafe extern "C" fn(*mut Components, usize, usize, i64, u64, Name);

/// The phase of a construct that makes the items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A target region begins.
    Region,
    /// A `target data` region begins, or variables are mapped by `target enter data`.
    Begin,
    /// A `target data` region ends, or variables are unmapped by `target exit data`.
    End,
    Update,
}

/// The modifiers, and `delete`, that components inherit from their variable.
const INHERITED: u64 = MapType::ALWAYS | MapType::CLOSE | MapType::DELETE | MapType::HOLD;
/// The bits of a list entry for a pointer and its pointee that hold for the pointer, too.
const SHARED_WITH_POINTER: u64 = MapType::CLOSE | MapType::DELETE | MapType::HOLD | MapType::IMPLICIT;

impl Work {
    /// Makes the items of a construct's variables.
    ///
    /// # Safety
    /// The lists are as the compiler makes them.
    pub unsafe fn expand(&mut self, lists: &Lists, phase: Phase) -> Done {
        self.clear();
        for index in 0..lists.count {
            // SAFETY: the caller keeps to the `# Safety` section.
            let (variable, mapper) = unsafe { (lists.variable(index), lists.mapper(index)) };
            if variable.kind.has(MapType::ATTACH) || variable.kind.unknown() != 0 {
                self.add_attachment(variable, index as u32)?;
                continue;
            }
            if !mapper.is_null() && !variable.kind.is_unmapped() {
                // SAFETY: the caller keeps to the `# Safety` section.
                unsafe { self.expand_mapper(variable, index, mapper, phase)? };
                continue;
            }
            self.add_pointer(&variable, phase);
            let late = variable.kind.is_capture();
            self.late |= late;
            self.items.push(Item::new(variable, index as u32, if late { flag::LATE } else { 0 }));
            if let Some(parent) = variable.kind.parent() {
                self.mark_whole(0, parent, parent as u32);
            }
        }
        Ok(())
    }

    /// Adds a pointer that is to become attached. A map type with unknown bits is refused.
    #[cold]
    fn add_attachment(&mut self, mut variable: Variable, index: u32) -> Done {
        if variable.kind.unknown() != 0 {
            return Err(Failure::Unknown { variable });
        }
        self.attaches = true;
        let (pointer, pointee) = (variable.base, variable.begin);
        if variable.kind.is_private_attachment() {
            // The kernel gets a copy of the pointer, so the pointer takes the variable's place.
            variable.begin = pointer;
            variable.kind.0 |= MapType::TO;
        }
        let mut item = Item::new(variable, index, 0);
        item.pointer = pointer;
        item.pointer_value = pointee;
        self.items.push(item);
        Ok(())
    }

    /// Marks the item that the last one is a member of: the one with this index, at or after `parent` in the list,
    /// whose items begin with `first`.
    fn mark_whole(&mut self, first: usize, parent: usize, index: u32) {
        let Some(Variable { begin, bytes, .. }) = self.items.last().map(|member| member.variable) else { return };
        // The item may stand further on, behind items of pointers and of mappers.
        let items = self.items.get_mut(first + parent..).unwrap_or_default();
        let Some(item) = items.iter_mut().find(|item| item.index == index) else { return };
        item.flags |= flag::WHOLE;
        let whole = item.variable;
        if begin < whole.begin || begin + bytes > whole.end() {
            // For `map(ps->n, ps)`, clang lists the pointer as a member of its pointee.
            self.items.last_mut().into_iter().for_each(|member| member.flags |= flag::APART);
        }
    }

    /// Gives a pointer an item of its own. For `map(p, p[0:n])` clang lists one entry for pointer and pointee. Outside
    /// of target regions, the bit of a kernel's argument tells this from `map(p[0:n])` with a global pointer. A target
    /// region gets the pointer's value in both cases.
    #[inline(always)]
    fn add_pointer(&mut self, variable: &Variable, phase: Phase) {
        const BOTH: u64 = MapType::PTR_AND_OBJ | MapType::TARGET_PARAM;
        let kind = variable.kind;
        if kind.0 & BOTH == BOTH && kind.parent().is_none() && matches!(phase, Phase::Begin | Phase::End) {
            self.add_listed_pointer(variable, phase);
        }
    }

    /// Adds the pointer, unless it has an item already: in a chain, such as `p[0]` of `p[0][0:n]`, or because another
    /// section of its pointee was listed.
    #[cold]
    fn add_listed_pointer(&mut self, variable: &Variable, phase: Phase) {
        let pointer = variable.base;
        let is_there = |before: &Variable| before.begin <= pointer && pointer + POINTER <= before.end();
        let one_variable = |item: &&Item| item.variable.kind.has(MapType::PTR_AND_OBJ) || item.has(flag::POINTER);
        if self.items.last().is_some_and(|before| is_there(&before.variable))
            || self.items.iter().rev().take_while(one_variable).any(|before| is_there(&before.variable))
        {
            return;
        }
        // The pointer has the host's value until it is attached, and if its pointee is not mapped.
        let kind = match phase {
            Phase::Begin => MapType::TO | variable.kind.0 & (SHARED_WITH_POINTER | MapType::PRESENT),
            _ => variable.kind.0 & SHARED_WITH_POINTER,
        };
        let variable =
            Variable { base: pointer, begin: pointer, bytes: POINTER, kind: MapType(kind), name: variable.name };
        self.items.push(Item::new(variable, NO_INDEX, flag::POINTER));
    }

    /// Adds the components that a mapper lists for its variable.
    ///
    /// # Safety
    /// The mapper is the variable's.
    #[cold]
    unsafe fn expand_mapper(&mut self, variable: Variable, index: usize, mapper: *const c_void, phase: Phase) -> Done {
        let mut components = Components::default();
        // SAFETY: the compiler's function of this signature.
        unsafe {
            let mapper = std::mem::transmute::<*const c_void, Mapper>(mapper);
            let Variable { base, begin, bytes, kind, name } = variable;
            mapper(&raw mut components, base, begin, bytes as i64, kind.0, name);
        }
        let (first, kind) = (self.items.len(), variable.kind);
        for (number, mut component) in components.0.into_iter().enumerate() {
            if component.kind.has(MapType::ATTACH) || component.kind.unknown() != 0 {
                self.add_attachment(component, COMPONENT | number as u32)?;
                continue;
            }
            component.kind.0 |= kind.0 & INHERITED;
            if component.begin == variable.begin && component.kind.parent().is_none() {
                component.kind.0 |= kind.0 & MapType::PRESENT;
            }
            if component.name.is_absent() {
                component.name = variable.name;
            }
            self.add_pointer(&component, phase);
            self.items.push(Item::new(component, COMPONENT | number as u32, 0));
            if let Some(parent) = component.kind.parent() {
                self.mark_whole(first, parent, COMPONENT | parent as u32);
            }
        }
        if kind.has(MapType::TARGET_PARAM | MapType::RETURN_PARAM) {
            self.late = true;
            self.items.push(Item::new(variable, index as u32, flag::LATE));
        }
        Ok(())
    }
}

//! The variables of a construct, with what user-defined mappers make of them in their place (OpenMP 5.1 §2.21.7.4).

use super::failure::Failure;
use super::items::{COMPONENT, Item, NO_INDEX, Work, task};
use super::types::{Lists, MapType, POINTER, Variable};
use super::work::Done;
use std::ffi::{c_char, c_void};

/// What a mapper has said so far. The program's code has its address, as a handle.
#[derive(Default)]
pub struct Components {
    list: Vec<Variable>,
}

impl Components {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// Adds one.
    pub fn push(&mut self, component: Variable) {
        self.list.push(component);
    }
}

/// The function that the compiler makes of a `declare mapper` directive.
type Mapper = unsafe extern "C" fn(*mut Components, usize, usize, i64, u64, *const c_char);

/// What a construct does with its variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A target region begins.
    Region,
    /// A `target data` region begins, or variables are mapped by `target enter data`.
    Begin,
    /// The opposite.
    End,
    Update,
}

/// Modifiers, and `delete`: what holds for the variable holds for its components.
const INHERITED: u64 = MapType::ALWAYS | MapType::CLOSE | MapType::DELETE | MapType::HOLD;
/// What holds for a pointer as well that is mapped by one entry of the list together with what it points to.
const SHARED_WITH_POINTER: u64 = MapType::CLOSE | MapType::DELETE | MapType::HOLD | MapType::IMPLICIT;

impl Work {
    /// Makes the items of a construct's variables.
    ///
    /// # Safety
    /// The lists are as said.
    pub unsafe fn expand(&mut self, lists: &Lists, phase: Phase) -> Done {
        self.clear();
        for index in 0..lists.count {
            // SAFETY: the caller's.
            let (variable, mapper) = unsafe { (lists.variable(index), lists.mapper(index)) };
            if variable.kind.has(MapType::ATTACH) || variable.kind.unknown() != 0 {
                self.add_attachment(variable, index as u32)?;
                continue;
            }
            if !mapper.is_null() && !variable.kind.is_unmapped() {
                // SAFETY: the caller's.
                unsafe { self.expand_mapper(variable, index, mapper, phase)? };
                continue;
            }
            self.add_pointer(&variable, phase);
            let late = variable.kind.is_capture();
            self.late |= late;
            self.items.push(Item::new(variable, index as u32, if late { task::LATE } else { 0 }));
            if let Some(parent) = variable.kind.parent() {
                self.mark_whole(0, parent, parent as u32);
            }
        }
        Ok(())
    }

    /// A pointer that is to become attached. What has a map type that is not known is refused.
    #[cold]
    fn add_attachment(&mut self, mut variable: Variable, index: u32) -> Done {
        if variable.kind.unknown() != 0 {
            return Err(Failure::Unknown { variable });
        }
        self.attaches = true;
        let (pointer, pointee) = (variable.base, variable.begin);
        if variable.kind.is_private_attachment() {
            // The copy is one of the pointer, which stands in the variable's place from here on.
            variable.begin = pointer;
            variable.kind.0 |= MapType::TO;
        }
        let mut item = Item::new(variable, index, 0);
        item.pointer = pointer;
        item.pointer_value = pointee;
        self.items.push(item);
        Ok(())
    }

    /// The item that the last one is a member of, whose place in its list is `parent`. The list's items begin with
    /// `first`.
    fn mark_whole(&mut self, first: usize, parent: usize, index: u32) {
        let Some(Variable { begin, bytes, .. }) = self.items.last().map(|member| member.variable) else { return };
        // Items of pointers, and what mappers have made, may have moved the item further on.
        let items = self.items.get_mut(first + parent..).unwrap_or_default();
        let Some(item) = items.iter_mut().find(|item| item.index == index) else { return };
        item.tasks |= task::WHOLE;
        let whole = item.variable;
        if begin < whole.begin || begin + bytes > whole.end() {
            // Of `map(ps->n, ps)` the compiler says that the pointer is a member of what it points to.
            self.items.last_mut().into_iter().for_each(|member| member.tasks |= task::APART);
        }
    }

    /// Where both a pointer and what it points to are mapped, `map(p, p[0:n])`, clang has one entry for the two. The
    /// pointer gets an item of its own, before the other's. Without the bit of an argument, which means nothing else in
    /// such constructs, the pointer is a global variable that is not mapped. The list of a target region leaves that
    /// open, and the region has the pointer's value anyway.
    #[inline(always)]
    fn add_pointer(&mut self, variable: &Variable, phase: Phase) {
        const BOTH: u64 = MapType::PTR_AND_OBJ | MapType::TARGET_PARAM;
        let kind = variable.kind;
        if kind.0 & BOTH == BOTH && kind.parent().is_none() && matches!(phase, Phase::Begin | Phase::End) {
            self.add_listed_pointer(variable, phase);
        }
    }

    /// Unless the pointer has an item already: one in a chain, as `p[0]` of `p[0][0:n]`, or one of which another
    /// section was listed.
    #[cold]
    fn add_listed_pointer(&mut self, variable: &Variable, phase: Phase) {
        let pointer = variable.base;
        let is_there = |before: &Variable| before.begin <= pointer && pointer + POINTER <= before.end();
        let one_variable = |item: &&Item| item.variable.kind.has(MapType::PTR_AND_OBJ) || item.has(task::POINTER);
        if self.items.last().is_some_and(|before| is_there(&before.variable))
            || self.items.iter().rev().take_while(one_variable).any(|before| is_there(&before.variable))
        {
            return;
        }
        // Until it is attached, and where nothing is there that it could point to, it has the host's value.
        let kind = match phase {
            Phase::Begin => MapType::TO | variable.kind.0 & (SHARED_WITH_POINTER | MapType::PRESENT),
            _ => variable.kind.0 & SHARED_WITH_POINTER,
        };
        let variable =
            Variable { base: pointer, begin: pointer, bytes: POINTER, kind: MapType(kind), name: variable.name };
        self.items.push(Item::new(variable, NO_INDEX, task::POINTER));
    }

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
        for (number, mut component) in components.list.into_iter().enumerate() {
            if component.kind.has(MapType::ATTACH) || component.kind.unknown() != 0 {
                self.add_attachment(component, COMPONENT | number as u32)?;
                continue;
            }
            component.kind.0 |= kind.0 & INHERITED;
            if component.begin == variable.begin && component.kind.parent().is_none() {
                component.kind.0 |= kind.0 & MapType::PRESENT;
            }
            if component.name.is_null() {
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
            self.items.push(Item::new(variable, index as u32, task::LATE));
        }
        Ok(())
    }
}

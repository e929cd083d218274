//! The variables of a construct, with what user-defined mappers make of them in their place (OpenMP 5.1 §2.21.7.4).

use super::types::{Lists, MapType, Variable};
use super::work::{Item, NO_INDEX, Work, task};
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

/// Modifiers, and `delete`: what holds for the variable holds for its components.
const INHERITED: u64 = MapType::ALWAYS | MapType::CLOSE | MapType::DELETE | MapType::HOLD;

impl Work {
    /// Makes the items of a construct's variables.
    ///
    /// # Safety
    /// The lists are as said.
    pub unsafe fn expand(&mut self, lists: &Lists) {
        self.clear();
        for index in 0..lists.count {
            // SAFETY: the caller's.
            let (variable, mapper) = unsafe { (lists.variable(index), lists.mapper(index)) };
            if !mapper.is_null() && !variable.kind.is_unmapped() {
                // SAFETY: the caller's.
                unsafe { self.expand_mapper(variable, index, mapper) };
                continue;
            }
            let late = variable.kind.is_capture();
            self.late |= late;
            self.items.push(Item::new(variable, index as u32, if late { task::LATE } else { 0 }));
            if let Some(parent) = variable.kind.parent() {
                self.mark_whole(0, parent, index);
            }
        }
    }

    /// The item that another one is a member of.
    fn mark_whole(&mut self, first: usize, parent: usize, below: usize) {
        // Without mappers before it, a variable's item has the variable's place.
        if parent < below
            && let Some(item) = self.items.get_mut(first + parent)
        {
            item.tasks |= task::WHOLE;
        }
    }

    /// # Safety
    /// The mapper is the variable's.
    #[cold]
    unsafe fn expand_mapper(&mut self, variable: Variable, index: usize, mapper: *const c_void) {
        let mut components = Components::default();
        // SAFETY: the compiler's function of this signature.
        unsafe {
            let mapper = std::mem::transmute::<*const c_void, Mapper>(mapper);
            let Variable { base, begin, bytes, kind, name } = variable;
            mapper(&raw mut components, base, begin, bytes as i64, kind.0, name);
        }
        let (first, kind) = (self.items.len(), variable.kind);
        for (number, mut component) in components.list.into_iter().enumerate() {
            component.kind.0 |= kind.0 & INHERITED;
            if component.begin == variable.begin && component.kind.parent().is_none() {
                component.kind.0 |= kind.0 & MapType::PRESENT;
            }
            if component.name.is_null() {
                component.name = variable.name;
            }
            self.items.push(Item::new(component, NO_INDEX, 0));
            if let Some(parent) = component.kind.parent() {
                self.mark_whole(first, parent, number);
            }
        }
        if kind.has(MapType::TARGET_PARAM | MapType::RETURN_PARAM) {
            self.late = true;
            self.items.push(Item::new(variable, index as u32, task::LATE));
        }
    }
}

//! The variables that control the runtime, with their values: OpenMP's environment variables, the runtime's own, and
//! those of other runtimes that it reads (OpenMP 5.1, section 5.5.8).

use std::ffi::c_char;
use std::ptr::null;

use ompd_layout::Field;

use super::read;
use super::show::Text;
use crate::answer::{answer, place, write};
use crate::handles::{self, given};
use crate::heap::List;
use crate::space::Space;
use crate::{AddressSpaceHandle, Rc, library};

/// Writes a list of strings `NAME=value` that ends with a null pointer: the variables that control the runtime, with
/// the values that are in force. The list is the debugger's until it hands it to [`ompd_rel_display_control_vars`]
/// (5.5.8.1).
///
/// `ompd_rc_bad_input` for a null pointer; `ompd_rc_unavailable` where the program has not read its environment yet.
///
/// # Safety
/// `control_vars` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_display_control_vars(
    address_space_handle: *mut AddressSpaceHandle,
    control_vars: *mut *const *const c_char,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(control_vars, handles::space(given(address_space_handle)), |space| {
            vector(&space, variables(&space)?.bytes())
        })
    }
}

/// Gives back what [`ompd_get_display_control_vars`] has written (5.5.8.2). `ompd_rc_bad_input` for a null pointer, or
/// a list that was given back.
///
/// # Safety
/// `control_vars` is null or points to what that function has written, and the library is initialised as it was then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_rel_display_control_vars(control_vars: *mut *const *const c_char) -> Rc {
    let release = || {
        // SAFETY: the caller passes null or what it was given.
        let list = unsafe { place(control_vars) }?;
        if list.is_null() {
            return Err(Rc::BAD_INPUT);
        }
        // The strings lie behind the pointers, in the same piece of memory.
        crate::heap::Heap::of(&library::callbacks()?)?.give_back(list.cast_mut().cast());
        *list = null();
        Ok(())
    };
    answer(release())
}

/// All variables, one a line.
fn variables(space: &Space) -> Result<Text, Rc> {
    let process = match space.root(Field::RootProcess)? {
        0 => return Err(Rc::UNAVAILABLE),
        process => process,
    };
    let of_process = |field| space.unsigned(process, field);
    let mut text = Text::new(space);
    text.add(format_args!("OMP_AFFINITY_FORMAT="))?;
    text.text(space, of_process(Field::ProcessAffinityFormat)?)?;
    text.add(format_args!("\nOMP_NUM_TEAMS="))?;
    text.value(space, &read::of_device(space, process, Field::ProcessNumTeams)?)?;
    text.add(format_args!("\nOMP_NUM_THREADS="))?;
    text.value(space, &read::initial_num_threads(space, process)?)?;
    text.add(format_args!("\nOMP_PLACES="))?;
    text.places(space, 0, of_process(Field::ProcessPlaceCount)?)?;
    text.add(format_args!("\nOMP_STACKSIZE={}B", of_process(Field::ProcessStackSize)?))?;
    text.add(format_args!("\nOMP_TEAMS_THREAD_LIMIT="))?;
    text.value(space, &read::of_device(space, process, Field::ProcessTeamsThreadLimit)?)?;
    text.add(format_args!("\n"))?;
    text.text(space, of_process(Field::ProcessVariables)?)?;
    Ok(text)
}

/// Lines as a vector of strings, all in one piece of memory: pointers, a null pointer, then the strings.
fn vector(space: &Space, lines: &[u8]) -> Result<*const *const c_char, Rc> {
    let lines = || lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let pointers = lines().count() + 1;
    let bytes: usize = lines().map(|line| line.len() + 1).sum();
    let mut memory: List<*const c_char> = List::new(space.memory.heap());
    memory.resize(pointers + bytes.div_ceil(size_of::<*const c_char>()), null())?;
    let start = memory.as_mut_slice().as_mut_ptr();
    let mut offset = pointers * size_of::<*const c_char>();
    for (index, line) in lines().enumerate() {
        // SAFETY: `resize` has made the memory large enough for all pointers and all strings, and filled it with zero
        // bytes.
        unsafe {
            let string = start.cast::<u8>().add(offset);
            string.copy_from_nonoverlapping(line.as_ptr(), line.len());
            start.add(index).write(string.cast());
        }
        offset += line.len() + 1;
    }
    Ok(memory.into_raw().0.cast_const())
}

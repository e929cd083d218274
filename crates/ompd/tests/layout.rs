//! Compares OMPD's types with clang 19's `omp-tools.h`, by a C program that is generated and
//! compiled here, and checks that the header has no enumerator that the crate does not know.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

fn clang(arguments: &[&str]) -> String {
    let output = Command::new("clang-19")
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("this test needs clang-19 (Debian: apt-get install clang-19 libomp-19-dev): {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "clang-19 {arguments:?} failed:\n{errors}");
    String::from_utf8(output.stdout).expect("clang-19 prints UTF-8")
}

/// What the C expressions are according to the crate.
fn expected() -> BTreeMap<String, i64> {
    let mut all = BTreeMap::new();
    for (value, name) in ompd::Rc::ALL {
        all.insert((*name).to_owned(), i64::from(value.0));
    }
    for (value, name) in ompd::Scope::ALL {
        all.insert((*name).to_owned(), i64::from(value.0));
    }
    macro_rules! layout {
        ($ty:ident, $name:literal, $( $field:ident ),*) => {
            all.insert(concat!("sizeof(", $name, ")").to_owned(), size_of::<ompd::$ty>() as i64);
            $( all.insert(
                concat!("offsetof(", $name, ", ", stringify!($field), ")").to_owned(),
                std::mem::offset_of!(ompd::$ty, $field) as i64,
            ); )*
        };
    }
    layout!(Address, "ompd_address_t", segment, address);
    layout!(FrameInfo, "ompd_frame_info_t", frame_address, frame_flag);
    layout!(
        DeviceTypeSizes,
        "ompd_device_type_sizes_t",
        sizeof_char,
        sizeof_short,
        sizeof_int,
        sizeof_long,
        sizeof_long_long,
        sizeof_pointer
    );
    layout!(
        Callbacks,
        "ompd_callbacks_t",
        alloc_memory,
        free_memory,
        print_string,
        sizeof_type,
        symbol_addr_lookup,
        read_memory,
        write_memory,
        read_string,
        device_to_host,
        host_to_device,
        get_thread_context_for_thread_id
    );
    for (name, size) in [
        ("ompd_size_t", size_of::<ompd::Size>()),
        ("ompd_wait_id_t", size_of::<ompd::WaitId>()),
        ("ompd_addr_t", size_of::<ompd::Addr>()),
        ("ompd_word_t", size_of::<ompd::Word>()),
        ("ompd_seg_t", size_of::<ompd::Seg>()),
        ("ompd_device_t", size_of::<ompd::Device>()),
        ("ompd_thread_id_t", size_of::<ompd::ThreadId>()),
        ("ompd_icv_id_t", size_of::<ompd::IcvId>()),
        ("ompd_rc_t", size_of::<ompd::Rc>()),
        ("ompd_scope_t", size_of::<ompd::Scope>()),
    ] {
        all.insert(format!("sizeof({name})"), size as i64);
    }
    all.insert("ompd_segment_none".to_owned(), ompd::SEGMENT_NONE as i64);
    all
}

#[test]
fn layouts_and_enumerators_are_those_of_the_header() {
    let expected = expected();
    let mut text = String::from("#include <omp-tools.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n");
    for expression in expected.keys() {
        writeln!(text, "printf(\"{expression}=%ld\\n\", (long)({expression}));").unwrap();
    }
    text.push_str("return 0;\n}\n");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("ompd_layout.c"), folder.join("ompd_layout"));
    std::fs::write(&source, text).expect("the test's folder is writable");
    clang(&["-w", "-o", program.to_str().unwrap(), source.to_str().unwrap()]);
    let output = Command::new(&program).output().expect("the compiled program runs");
    let found: BTreeMap<String, i64> = String::from_utf8(output.stdout)
        .expect("the program prints ASCII")
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.parse().expect("a number")))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn every_enumerator_of_the_header_is_known() {
    let header = Path::new(clang(&["-print-resource-dir"]).trim()).join("include/omp-tools.h");
    let header =
        std::fs::read_to_string(header).expect("clang-19's omp-tools.h is there (Debian: apt-get install libomp-19-dev)");
    let known = expected();
    let mut seen = 0;
    for definition in header.split("typedef enum ompd_").skip(1) {
        let body = definition.split(['{', '}']).nth(1).expect("an enumeration has a body");
        for entry in body.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let name = entry.split([' ', '=']).next().expect("a name");
            assert!(known.contains_key(name), "the crate does not know {name}");
            seen += 1;
        }
    }
    assert_eq!(seen, ompd::Rc::ALL.len() + ompd::Scope::ALL.len());
}

//! The form of a type as data, and the macros that define a type together with that data.

/// An enumeration or a set of flags.
#[derive(Copy, Clone, Debug)]
pub struct Enumeration {
    /// Its name in Rust.
    pub rust: &'static str,
    /// Its comment, line by line.
    pub doc: &'static [&'static str],
    /// Its values, in the specification's order.
    pub values: &'static [Value],
}

/// A value of an enumeration.
#[derive(Copy, Clone, Debug)]
pub struct Value {
    /// Its name in C.
    pub c_name: &'static str,
    /// Its number, as a literal of Rust.
    pub number: &'static str,
    /// Its comment, line by line.
    pub doc: &'static [&'static str],
}

/// A structure or a union.
#[derive(Copy, Clone, Debug)]
pub struct Structure {
    /// Its name in Rust.
    pub rust: &'static str,
    /// Its comment, line by line.
    pub doc: &'static [&'static str],
    /// Its fields, in their order.
    pub fields: &'static [Field],
}

/// A field of a structure.
#[derive(Copy, Clone, Debug)]
pub struct Field {
    /// Its name, with `_` after a keyword.
    pub name: &'static str,
    /// Its type in Rust.
    pub ty: &'static str,
    /// Its comment, line by line.
    pub doc: &'static [&'static str],
}

/// The type of a function.
#[derive(Copy, Clone, Debug)]
pub struct Function {
    /// The function's name in C; the type's is that with `_t`.
    pub name: &'static str,
    /// Its comment, line by line.
    pub doc: &'static [&'static str],
    /// Each argument's name and its type in Rust.
    pub args: &'static [(&'static str, &'static str)],
    /// What it returns, in Rust; empty for nothing.
    pub ret: &'static str,
}

/// Another name for a type.
#[derive(Copy, Clone, Debug)]
pub struct Alias {
    /// Its name in Rust.
    pub rust: &'static str,
    /// Its comment, line by line.
    pub doc: &'static [&'static str],
    /// The type that it stands for, in Rust.
    pub ty: &'static str,
    /// The name in C of the value that says "none"; empty if there is no such value. It is 0.
    pub none: &'static str,
}

/// Declares a structure or a union as it is written, and adds its description.
#[macro_export]
macro_rules! described {
    ($(#[doc = $doc:literal])+ #[repr(C)] #[derive($($derive:ident),+)] pub $kind:tt $name:ident {
        $( $(#[doc = $fdoc:literal])* pub $field:ident : $ty:ty, )+
    }) => {
        $(#[doc = $doc])+
        #[repr(C)]
        #[derive($($derive),+)]
        pub $kind $name {
            $( $(#[doc = $fdoc])* pub $field: $ty, )+
        }

        impl $name {
            /// The type as data, for the header in C.
            pub const DESCRIPTION: $crate::describe::Structure = $crate::describe::Structure {
                rust: stringify!($name),
                doc: &[ $( $doc ),+ ],
                fields: &[ $( $crate::describe::Field {
                    name: stringify!($field),
                    ty: stringify!($ty),
                    doc: &[ $( $fdoc ),* ],
                } ),+ ],
            };
        }
    };
}

/// Declares names for types, each with the value that says "none" where it has one, and the list of their descriptions.
#[macro_export]
macro_rules! described_aliases {
    ($( $(#[doc = $doc:literal])+ $name:ident = $ty:ty $(, $none:ident $c_none:literal )?; )+) => {
        $(
            $(#[doc = $doc])+
            pub type $name = $ty;
            $( #[doc = concat!("`", $c_none, "`")] pub const $none: $name = 0; )?
        )+

        /// The names for types, as data.
        pub(crate) const ALIASES: &[$crate::describe::Alias] = &[ $( $crate::describe::Alias {
            rust: stringify!($name),
            doc: &[ $( $doc ),+ ],
            ty: stringify!($ty),
            none: concat!($( $c_none )?),
        } ),+ ];
    };
}

/// Declares types of functions, and the list of their descriptions.
#[macro_export]
macro_rules! function_types {
    ($(#[doc = $ldoc:literal])* $vis:vis $list:ident: $(
        $(#[doc = $doc:literal])*
        $camel:ident $name:literal ( $( $arg:ident : $ty:ty ),* $(,)? ) $( -> $ret:ty )?;
    )*) => {
        $(
            #[doc = concat!("`", $name, "`:")]
            $(#[doc = $doc])*
            pub type $camel = unsafe extern "C" fn( $( $arg: $ty ),* ) $( -> $ret )?;
        )*
        $(#[doc = $ldoc])*
        $vis const $list: &[$crate::describe::Function] = &[ $( $crate::describe::Function {
            name: $name,
            doc: &[ $( $doc ),* ],
            args: &[ $( (stringify!($arg), stringify!($ty)) ),* ],
            ret: concat!($( stringify!($ret) )?),
        } ),* ];
    };
}

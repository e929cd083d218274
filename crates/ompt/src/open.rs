//! Open enumerations and flag sets: C enumerations as transparent integers with named values.
//! The macros are exported because `ompd` describes its enumerations in the same way.

/// What open enumerations and sets of flags have in common: their description, and the names of their values.
#[doc(hidden)]
#[macro_export]
macro_rules! open_names {
    ($(#[doc = $doc:literal])* $name:ident {
        $( $(#[doc = $vdoc:literal])* $value:ident = $number:literal $cname:literal ),+
    }) => {
        impl $name {
            /// The type as data, for the header in C.
            pub const DESCRIPTION: $crate::describe::Enumeration = $crate::describe::Enumeration {
                rust: stringify!($name),
                doc: &[ $( $doc ),* ],
                values: &[ $( $crate::describe::Value {
                    c_name: $cname,
                    number: stringify!($number),
                    doc: &[ $( $vdoc ),* ],
                } ),+ ],
            };

            /// Every named value with its name in C, in the specification's order.
            pub const ALL: &'static [(Self, &'static str)] = &[ $( (Self::$value, $cname) ),+ ];

            /// The name in C, or `None` for combinations of flags and for values that this version does not know.
            pub fn name(self) -> Option<&'static str> {
                Self::ALL.iter().find(|(value, _)| *value == self).map(|(_, name)| *name)
            }
        }
    };
}

/// Declares an open enumeration.
///
/// `open_enum! { /// doc
/// pub enum Mutex: c_int => { LOCK = 1 "ompt_mutex_lock", } }` declares a transparent struct around
/// the integer with one associated constant a value, `ALL` (every value with its C name) and
/// `name()`. Its `Debug` prints the C name where there is one.
#[macro_export]
macro_rules! open_enum {
    ($(#[doc = $doc:literal])* pub enum $name:ident : $int:ty => {
        $( $(#[doc = $vdoc:literal])* $value:ident = $number:literal $cname:literal ),+ $(,)?
    }) => {
        $(#[doc = $doc])*
        #[repr(transparent)]
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub $int);

        impl $name {
            $( #[doc = concat!("`", $cname, "`")] $(#[doc = $vdoc])* pub const $value: Self = Self($number); )+
        }

        $crate::open_names! { $(#[doc = $doc])* $name { $( $(#[doc = $vdoc])* $value = $number $cname ),+ } }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, concat!(stringify!($name), "({})"), self.0),
                }
            }
        }
    };
}

/// Declares a set of flags: like [`open_enum!`], with `|`, `&` and [`contains`](crate::TaskFlag::contains);
/// `Debug` prints the names of the flags that are set, then what is left over in hexadecimal.
#[macro_export]
macro_rules! open_flags {
    ($(#[doc = $doc:literal])* pub enum $name:ident : $int:ty => {
        $( $(#[doc = $vdoc:literal])* $value:ident = $number:literal $cname:literal ),+ $(,)?
    }) => {
        $(#[doc = $doc])*
        #[repr(transparent)]
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
        pub struct $name(pub $int);

        impl $name {
            $( #[doc = concat!("`", $cname, "`")] $(#[doc = $vdoc])* pub const $value: Self = Self($number as $int); )+

            /// Whether all bits of `flag` are set.
            pub const fn contains(self, flag: Self) -> bool {
                self.0 & flag.0 == flag.0
            }
        }

        $crate::open_names! { $(#[doc = $doc])* $name { $( $(#[doc = $vdoc])* $value = $number $cname ),+ } }

        impl ::core::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl ::core::ops::BitAnd for $name {
            type Output = Self;
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                if let Some(name) = self.name() {
                    return f.write_str(name);
                }
                let mut rest = self.0;
                let mut separator = "";
                // From the widest value down, so that a value of several bits is named as one.
                for (flag, name) in Self::ALL.iter().rev() {
                    if rest & flag.0 != 0 && rest & flag.0 == flag.0 {
                        write!(f, "{separator}{name}")?;
                        rest &= !flag.0;
                        separator = "|";
                    }
                }
                if rest != 0 || separator.is_empty() {
                    write!(f, "{separator}{rest:#x}")?;
                }
                Ok(())
            }
        }
    };
}

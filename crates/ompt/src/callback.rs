//! The signature of each event's callback, `callback::ThreadBegin` and so on, made from the table of
//! events. OpenMP 5.1, section 4.5.2.

use crate::describe::Function;

macro_rules! callback_types {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal,
          ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )? } )*) => {
        $(
            #[doc = concat!("The signature of `", $name, "`.")]
            pub type $camel = unsafe extern "C" fn( $( $arg: $ty ),* ) $( -> $ret )?;
        )*

        /// Every callback as data, in the order of the events.
        pub(crate) const CALLBACKS: &[Function] = &[ $( Function {
            name: $name,
            doc: &[],
            args: &[ $( (stringify!($arg), stringify!($ty)) ),* ],
            ret: concat!($( stringify!($ret) )?),
        } ),* ];
    };
}
crate::for_each_event! { callback_types }

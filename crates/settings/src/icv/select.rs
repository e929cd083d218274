//! Lists that select devices by numbers and by traits, such as `kind(gpu) && !uid(x)` or `*[1:2]`
//! (`OMP_AVAILABLE_DEVICES`, `OMP_DEFAULT_DEVICE`; OpenMP 6.0, sections 4.3.7 and 4.3.8).

use crate::environment::{Words, words};
use crate::scan::Scanner;
use std::ffi::CStr;

/// The deepest nesting of parentheses. No use needs as much, and a limit keeps the recursion within the stack.
const DEEPEST: u32 = 32;

/// The number of the host among the devices.
const HOST: i32 = -1;

/// A list, and the text of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct List {
    pub text: String,
    pub items: Vec<Item>,
}

/// The default device that a list selects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A device, or the host by the number [`HOST`].
    Number(i32),
    Invalid,
    /// The default device is the same as without the variable.
    Default,
}

/// One item of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// The device with this number.
    Number(i32),
    /// A word that holds for any devices.
    Choice(Choice),
    /// The devices that fulfil a condition, as far as the subscript selects them.
    Devices(Condition, Subscript),
}

/// A condition on devices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// `*`
    Any,
    /// A trait and its argument.
    Trait(Trait, String),
    Not(Box<Condition>),
    All(Vec<Condition>),
    OneOf(Vec<Condition>),
}

/// The traits of devices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trait {
    Kind,
    Isa,
    Arch,
    Vendor,
    Uid,
    DeviceNum,
}

words! {
    Trait: "kind" => Trait::Kind, "isa" => Trait::Isa, "arch" => Trait::Arch, "vendor" => Trait::Vendor,
        "uid" => Trait::Uid, "device_num" => Trait::DeviceNum;
}

/// A selection among the devices that fulfil a condition, in the form of an array section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subscript {
    first: usize,
    /// The most devices; `None` for all that follow.
    length: Option<usize>,
    stride: usize,
}

impl Subscript {
    /// No subscript.
    const WHOLE: Subscript = Subscript { first: 0, length: None, stride: 1 };

    fn of(self, devices: Vec<usize>) -> Vec<usize> {
        let length = self.length.unwrap_or(usize::MAX);
        devices.into_iter().skip(self.first).step_by(self.stride).take(length).collect()
    }
}

/// The traits of a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traits {
    /// The device's number if all devices were available; -1 for the host.
    pub number: i32,
    pub vendor: String,
    /// The architecture or the name of the code, as in the events for tools.
    pub code: String,
    pub uid: String,
}

impl Traits {
    /// The traits of a device that its driver describes with `kind`: vendor, model and code, divided by semicolons.
    pub fn new(number: i32, kind: &CStr, uid: String) -> Traits {
        let kind = kind.to_string_lossy();
        let part = |index| kind.split(';').nth(index).unwrap_or_default().to_ascii_lowercase();
        Traits { number, vendor: part(0), code: part(2), uid }
    }

    fn is_gpu(&self) -> bool {
        self.code.starts_with("sm_")
    }

    fn has(&self, which: Trait, argument: &str) -> bool {
        match which {
            Trait::Uid => return self.uid == argument,
            Trait::DeviceNum => return argument.parse() == Ok(self.number),
            Trait::Kind | Trait::Isa | Trait::Arch | Trait::Vendor => {}
        }
        let word = argument.to_ascii_lowercase();
        match (which, word.as_str()) {
            (Trait::Kind, "any") => true,
            (Trait::Kind, "host") => self.number < 0,
            (Trait::Kind, "nohost") => self.number >= 0,
            (Trait::Kind, "gpu") => self.is_gpu(),
            (Trait::Kind, "cpu") => !self.is_gpu(),
            (Trait::Arch, "nvptx" | "nvptx64") => self.is_gpu(),
            (Trait::Arch, "x86-64") => self.code == "x86_64",
            (Trait::Arch | Trait::Isa, word) => self.code == word,
            (Trait::Vendor, word) => self.vendor == word,
            _ => false,
        }
    }
}

impl Condition {
    fn holds(&self, device: &Traits) -> bool {
        match self {
            Condition::Any => true,
            Condition::Trait(which, argument) => device.has(*which, argument),
            Condition::Not(inner) => !inner.holds(device),
            Condition::All(inner) => inner.iter().all(|condition| condition.holds(device)),
            Condition::OneOf(inner) => inner.iter().any(|condition| condition.holds(device)),
        }
    }
}

/// The indices of the devices that the list makes available, in the order of their new numbers. `devices` does not have
/// the host.
pub fn available(list: &[Item], devices: &[Traits]) -> Vec<usize> {
    let mut order = Vec::new();
    for item in list {
        if let Item::Devices(condition, subscript) = item {
            let left = (0..devices.len()).filter(|index| !order.contains(index) && condition.holds(&devices[*index]));
            let chosen = subscript.of(left.collect());
            order.extend(chosen);
        }
    }
    order
}

/// The device that the first fulfilled item of the list selects. `devices` has all available devices and the host.
pub fn default(list: &[Item], devices: &[Traits]) -> Choice {
    let mut sorted: Vec<&Traits> = devices.iter().collect();
    sorted.sort_by_key(|device| device.number);
    let found = |item: &Item| match item {
        Item::Choice(choice) => Some(*choice),
        Item::Number(number) => sorted.iter().any(|device| device.number == *number).then_some(Choice::Number(*number)),
        Item::Devices(condition, subscript) => {
            let fulfil = (0..sorted.len()).filter(|&index| condition.holds(sorted[index])).collect();
            subscript.of(fulfil).first().map(|&index| Choice::Number(sorted[index].number))
        }
    };
    list.iter().find_map(found).unwrap_or(Choice::Invalid)
}

/// Parses the value of `OMP_AVAILABLE_DEVICES`.
pub fn parse_available(text: &str) -> Option<List> {
    parse(text, false)
}

/// Parses the value of `OMP_DEFAULT_DEVICE`.
pub fn parse_default(text: &str) -> Option<List> {
    parse(text, true)
}

/// Parses a list. `for_default`: the list is for the default device, and may have numbers, words and the host.
fn parse(text: &str, for_default: bool) -> Option<List> {
    let mut scan = Scanner::new(text);
    let items = scan.list(",", |scan| item(scan, for_default))?;
    scan.at_end().then(|| List { text: text.trim().to_string(), items })
}

fn item(scan: &mut Scanner, for_default: bool) -> Option<Item> {
    if for_default {
        if scan.peek()?.is_ascii_digit() {
            return scan.number().map(Item::Number);
        }
        let words = [("initial", Choice::Number(HOST)), ("invalid", Choice::Invalid), ("default", Choice::Default)];
        if let Some(choice) = scan.word_of(&words) {
            return Some(Item::Choice(choice));
        }
    }
    let any = !for_default && scan.eat("*");
    let condition = if any { Condition::Any } else { condition(scan, for_default, 0)? };
    Some(Item::Devices(condition, subscript(scan)?))
}

fn condition(scan: &mut Scanner, for_default: bool, depth: u32) -> Option<Condition> {
    let operand = |scan: &mut Scanner| operand(scan, for_default, depth);
    let first = operand(scan)?;
    for (operator, together) in [("&&", Condition::All as fn(_) -> _), ("||", Condition::OneOf as fn(_) -> _)] {
        if scan.eat(operator) {
            let mut operands = scan.list(operator, operand)?;
            operands.insert(0, first);
            return Some(together(operands));
        }
    }
    Some(first)
}

fn operand(scan: &mut Scanner, for_default: bool, depth: u32) -> Option<Condition> {
    if depth > DEEPEST {
        return None;
    }
    if scan.eat("!") {
        return operand(scan, for_default, depth + 1).map(|inner| Condition::Not(Box::new(inner)));
    }
    if scan.eat("(") {
        let inner = condition(scan, for_default, depth + 1)?;
        return scan.eat(")").then_some(inner);
    }
    let which = scan.word_of(Trait::WORDS)?;
    scan.eat("(").then_some(())?;
    let argument = scan.run(|c| !matches!(c, '(' | ',' | ')')).trim_end();
    let lower = argument.to_ascii_lowercase();
    let allowed = match (which, lower.as_str()) {
        (Trait::Kind, "host") => for_default,
        (Trait::Kind, kind) => ["nohost", "any", "cpu", "gpu", "fpga"].contains(&kind),
        (Trait::DeviceNum, number) => for_default && number.bytes().all(|byte| byte.is_ascii_digit()),
        (Trait::Isa | Trait::Arch | Trait::Vendor | Trait::Uid, _) => true,
    };
    (scan.eat(")") && allowed && !argument.is_empty()).then(|| Condition::Trait(which, argument.to_string()))
}

/// `[index]`, `[first:length:stride]`, each part of which may be missing, or nothing.
fn subscript(scan: &mut Scanner) -> Option<Subscript> {
    if !scan.eat("[") {
        return Some(Subscript::WHOLE);
    }
    let first = scan.number();
    let subscript = if scan.eat(":") {
        let length = scan.number();
        let stride = if scan.eat(":") { scan.number() } else { None };
        Subscript { first: first.unwrap_or(0), length, stride: stride.unwrap_or(1) }
    } else {
        Subscript { first: first?, length: Some(1), stride: 1 }
    };
    (scan.eat("]") && subscript.stride > 0).then_some(subscript)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn devices() -> Vec<Traits> {
        let gpu = |number, uid: &str| Traits::new(number, c"NVIDIA;H200;sm_90", uid.into());
        let cpu = |number, uid: &str| Traits::new(number, c"Intel;Xeon;x86_64", uid.into());
        vec![gpu(0, "g0"), gpu(1, "g1"), gpu(2, "g2"), cpu(3, "OMP_DEV_3"), cpu(4, "OMP_DEV_4")]
    }

    fn order(text: &str) -> Option<Vec<usize>> {
        Some(available(&parse_available(text)?.items, &devices()))
    }

    #[test]
    fn devices_are_selected_and_ordered() {
        for (text, expected) in [
            ("*", &[0, 1, 2, 3, 4][..]),
            ("kind(gpu)", &[0, 1, 2]),
            ("uid(g2), KIND(GPU)", &[2, 0, 1]),
            ("uid(g1),kind(gpu)[:2]", &[1, 0, 2]),
            ("kind(cpu),*", &[3, 4, 0, 1, 2]),
            ("!kind(gpu) && !uid(OMP_DEV_3)", &[4]),
            ("!(kind(gpu) || uid(OMP_DEV_3))", &[4]),
            ("( vendor(nvidia) && isa(sm_90) ) [1]", &[1]),
            ("*[::2]", &[0, 2, 4]),
            ("*[1:2]", &[1, 2]),
            ("*[3:]", &[3, 4]),
            ("*[7]", &[]),
            ("*[4:9],uid(nobody)", &[4]),
            ("arch(x86-64),arch(nvptx64)[0]", &[3, 4, 0]),
            ("kind(fpga)", &[]),
        ] {
            assert_eq!(order(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_list() {
        let deep = "(".repeat(200) + "kind(gpu)" + &")".repeat(200);
        for bad in [
            "",
            ",",
            "*,",
            "0",
            "initial",
            "kind(host)",
            "device_num(1)",
            "kind(gpu",
            "kind()",
            "kind(toaster)",
            "kind(gpu)&&",
            "kind(gpu) && uid(a) || uid(b)",
            "kind(gpu)[",
            "kind(gpu)[]",
            "kind(gpu)[::0]",
            "kind(gpu)[-1]",
            "colour(red)",
            "* *",
            &deep,
        ] {
            assert_eq!(parse_available(bad), None, "{bad}");
        }
        assert_eq!(parse_default("*"), None);
        assert_eq!(parse_default("99999999999"), None);
    }

    #[test]
    fn the_first_item_that_is_there_is_the_default() {
        let mut all = devices();
        all.push(Traits::new(-1, c"Intel;Xeon;x86_64", "OMP_INITIAL_DEVICE".into()));
        for (text, expected) in [
            ("2", Choice::Number(2)),
            ("7,uid(g1)", Choice::Number(1)),
            ("kind(gpu)[2]", Choice::Number(2)),
            ("kind(gpu)[3], kind(cpu)", Choice::Number(-1)),
            ("kind(cpu) && kind(nohost)", Choice::Number(3)),
            ("Initial", Choice::Number(-1)),
            ("kind(fpga),INVALID", Choice::Invalid),
            ("kind(fpga),default", Choice::Default),
            ("device_num(4)", Choice::Number(4)),
            ("uid(nobody)", Choice::Invalid),
            ("uid(OMP_INITIAL_DEVICE)", Choice::Number(-1)),
        ] {
            assert_eq!(default(&parse_default(text).expect(text).items, &all), expected, "{text}");
        }
    }
}

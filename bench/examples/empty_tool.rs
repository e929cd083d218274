//! A tool with a callback for every event that does nothing, as `programs/tool.c`.

use ferromp_tool::*;

struct Empty;

#[tool]
impl Tool for Empty {
    const NAME: &'static str = "empty";

    fn initialize(_init: &Init<Self>) -> Result<Self, String> {
        Ok(Empty)
    }

    fn any(&self, _occurrence: Occurrence<'_, Self>) {}

    fn finalize(&self) {
        eprintln!("tool: empty");
    }
}

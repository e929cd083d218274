//! A headless Chromium that a test drives by the DevTools protocol, over a pipe.

use command_fds::{CommandFdExt as _, FdMapping};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The browser does not answer later than this.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page. It ends when dropped.
pub struct Browser {
    child: Child,
    to: UnixStream,
    from: BufReader<UnixStream>,
    session: Option<String>,
    next: u64,
    /// What the browser has reported so far: method and parameters.
    pub events: Vec<(String, Value)>,
    /// The browser's files.
    _home: tempfile::TempDir,
}

impl Browser {
    /// Starts Chromium. None if it is not installed: the test then says that it is skipped.
    pub fn start() -> Option<Browser> {
        let home = tempfile::tempdir().unwrap();
        let (ours, theirs) = UnixStream::pair().unwrap();
        let write = theirs.try_clone().unwrap();
        let mut command = Command::new("chromium");
        command
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"])
            .args(["--disable-background-networking", "--window-size=1400,1700", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", home.path().display()))
            // Else the browser leaves a folder behind in the machine's.
            .env("TMPDIR", home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .fd_mappings(vec![
                FdMapping { parent_fd: theirs.into(), child_fd: 3 },
                FdMapping { parent_fd: write.into(), child_fd: 4 },
            ])
            .unwrap();
        let child = match command.spawn() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                eprintln!("skipped: chromium is not installed");
                return None;
            }
            child => child.unwrap(),
        };
        // The command holds the browser's ends of the pipe: an early end of the browser would not be seen.
        drop(command);
        ours.set_read_timeout(Some(PATIENCE)).unwrap();
        let from = BufReader::new(ours.try_clone().unwrap());
        let mut browser = Browser { child, to: ours, from, session: None, next: 0, events: Vec::new(), _home: home };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Calls a method of the protocol and returns its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone().into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).expect("the browser answers in time");
            assert_eq!(bytes.pop(), Some(0), "the browser has ended");
            let mut answer: Value = serde_json::from_slice(&bytes).unwrap();
            if answer["id"] == self.next {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].take();
            }
            if let Some(method) = answer["method"].as_str() {
                self.events.push((method.to_owned(), answer["params"].clone()));
            }
        }
    }

    /// Opens a file, with a fragment. Returns the time until the page says that it is ready.
    pub fn open(&mut self, file: &Path, fragment: &str) -> Duration {
        let begin = Instant::now();
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.call("Page.navigate", json!({ "url": format!("file://{}#{fragment}", file.display()) }));
        while self.value("document.documentElement?.dataset.ready === undefined") != false {
            assert!(begin.elapsed() < PATIENCE, "the page gets ready; {:?}", self.events);
            std::thread::sleep(Duration::from_millis(10));
        }
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
        begin.elapsed()
    }

    /// Opens a file whose only frame is in a sandbox. What is called from now on is about the frame's document. Returns
    /// when that says that it is ready.
    pub fn open_sandboxed(&mut self, file: &Path) {
        let begin = Instant::now();
        let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true });
        self.call("Target.setAutoAttach", attach);
        self.call("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        let is_frame = |(method, params): &(String, Value)| {
            let is_frame = method == "Target.attachedToTarget" && params["targetInfo"]["type"] == "iframe";
            is_frame.then(|| params["sessionId"].as_str().map(str::to_owned))?
        };
        let frame = loop {
            if let Some(frame) = self.events.iter().find_map(is_frame) {
                break frame;
            }
            assert!(begin.elapsed() < PATIENCE, "the frame is a process of its own; {:?}", self.events);
            std::thread::sleep(Duration::from_millis(10));
            self.value("1");
        };
        self.session = Some(frame);
        for domain in ["Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        while self.value("document.documentElement?.dataset.ready === undefined") != false {
            assert!(begin.elapsed() < PATIENCE, "the page gets ready; {:?}", self.events);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The value of an expression in the page, after it has painted what has changed.
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// A number in the page.
    pub fn number(&mut self, expression: &str) -> f64 {
        let value = self.value(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// Presses and releases a key that makes a character.
    pub fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyDown", "key": key, "text": text }));
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
        self.painted();
    }

    /// A mouse event in the page: `mouseMoved`, `mousePressed`, `mouseReleased` or `mouseWheel`.
    pub fn mouse(&mut self, what: &str, x: f64, y: f64, more: Value) {
        let mut params = json!({ "type": what, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        if what == "mouseMoved" && more["buttons"].is_null() {
            (params["button"], params["buttons"]) = ("none".into(), 0.into());
        }
        for (name, value) in more.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        self.call("Input.dispatchMouseEvent", params);
        self.painted();
    }

    /// Clicks on the element that a selector finds.
    pub fn click(&mut self, selector: &str) {
        let found = format!("document.querySelector({selector:?})");
        self.value(&format!("{found}.scrollIntoView({{ block: 'center' }})"));
        let middle = |side: &str, size: &str| {
            format!("(() => {{ const r = {found}.getBoundingClientRect(); return r.{side} + r.{size} / 2; }})()")
        };
        let (x, y) = (self.number(&middle("left", "width")), self.number(&middle("top", "height")));
        self.mouse("mousePressed", x, y, json!({}));
        self.mouse("mouseReleased", x, y, json!({}));
    }

    /// Waits until the page has painted what has changed.
    pub fn painted(&mut self) {
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    }

    /// Writes a picture of the window.
    pub fn picture(&mut self, file: &Path) {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes =
            base64::Engine::decode(&base64::engine::general_purpose::STANDARD, answer["data"].as_str().unwrap());
        std::fs::write(file, bytes.unwrap()).unwrap();
    }

    /// What the page did that a report must not do: errors, messages, requests.
    pub fn misdeeds(&self) -> Vec<String> {
        let wrong = |(method, params): &&(String, Value)| match method.as_str() {
            "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded" => true,
            "Page.javascriptDialogOpening" | "Page.windowOpen" => true,
            "Network.requestWillBeSent" => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                params["type"] != "Document" || !(url.starts_with("file://") || url == "about:blank")
            }
            _ => false,
        };
        self.events.iter().filter(wrong).map(|(method, params)| format!("{method} {params}")).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

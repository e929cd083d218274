// The page's begin: reads the data, fills the parts, and shows one process at a time.

function showHead(trace) {
  document.title = `${trace.program} – ferromp report`;
  byId('program').textContent = trace.program;
  byId('command').textContent = trace.command.length > 0 ? trace.command.join(' ') : trace.path;
  const facts = [
    ['wall', duration(trace.wall_ns)],
    ['outside of regions', trace.wall_ns > 0 ? percent((100 * trace.serial_ns) / trace.wall_ns) : null],
    ['threads', trace.threads],
    ['CPUs', trace.cpus],
    ['events', grouped(String(trace.events))],
    ['process', trace.rank === null ? trace.pid : `${trace.pid}, rank ${trace.rank}`],
    ['host', trace.host],
    ['began', trace.start_unix_ms > 0 ? new Date(trace.start_unix_ms).toLocaleString() : null],
    ['runtime', trace.runtime],
  ];
  byId('facts').replaceChildren(
    ...facts
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
  byId('warnings').hidden = trace.warnings.length === 0;
  byId('warnings').replaceChildren(...trace.warnings.map((line) => element('li', {}, line)));
}

function showFindings(findings) {
  byId('findings-section').hidden = findings.length === 0;
  byId('findings').replaceChildren(
    ...findings.map((finding) =>
      element(
        'li',
        {},
        element(
          'button',
          { type: 'button', onclick: () => leadTo(finding.name, finding.range) },
          finding.gain_ns === null
            ? null
            : element('span', { class: 'gain' }, `${duration(finding.gain_ns)} to win`),
          element('strong', {}, finding.title),
          ' ',
          element('span', { class: 'place' }, finding.place),
          ...finding.lines.map((line) => element('div', { class: 'soft' }, line)),
        ),
      ),
    ),
  );
}

function showKinds(trace) {
  const there = new Set(trace.names.map((name) => name.kind));
  for (const button of byId('kinds').children) {
    button.hidden = !there.has(button.dataset.kind);
    button.setAttribute('aria-pressed', String(!view.hidden.has(button.dataset.kind)));
    button.onclick = () => button.setAttribute('aria-pressed', String(!view.hidden.has(button.dataset.kind)));
  }
}

async function showProcess(index, time) {
  const trace = await load(index);
  // No earlier: a key or a new size of the window would paint a trace that is not there.
  if (!view.trace) listen();
  byId('page').hidden = false;
  readColours();
  showHead(trace);
  showTrace(trace);
  showFindings(trace.findings);
  showWhere(trace.usage);
  showKinds(trace);
  showTables(trace.tables);
  showLengths(trace.names, trace.chunks);
  showGraph(trace.graph);
  search();
  showDetails();
  if (time) setRange(Number(time[1]), Number(time[2]));
  document.documentElement.dataset.ready = index;
}

function begin() {
  const documents = [...document.querySelectorAll('script.trace')];
  const choice = byId('process');
  documents.forEach((data, index) => {
    const { program, pid, rank } = documents.length > 1 ? JSON.parse(data.textContent) : {};
    choice.append(
      element(
        'option',
        { value: index },
        rank === null || rank === undefined ? `${program} ${pid}` : `${program} rank ${rank}`,
      ),
    );
  });
  byId('processes').hidden = documents.length < 2;
  const failed = (error) => {
    byId('failure').hidden = false;
    byId('failure').textContent = `The page cannot be shown: ${error.message}`;
    throw error;
  };
  choice.addEventListener('change', () => showProcess(Number(choice.value)).catch(failed));
  const { process, time } = readAddress();
  choice.value = process < documents.length ? process : 0;
  const show = () => showProcess(Number(choice.value), time);
  if (documents.length > 0) loadHeat().then(show).catch(failed);
  else failed(new Error('it has no trace'));
}

begin();

// Tables of any columns and rows: sorted by a click on a column, cut after many rows. Rows lead to the timeline.

const ROWS = 200;
const WORDS = ['place', 'text'];

function showTables(tables) {
  byId('tables-section').hidden = tables.length === 0;
  const tabs = byId('tabs');
  tabs.replaceChildren();
  const choose = (index) => {
    [...tabs.children].forEach((tab, nth) => {
      tab.setAttribute('aria-selected', String(nth === index));
      tab.tabIndex = nth === index ? 0 : -1;
    });
    showTable(tables[index]);
  };
  tables.forEach((table, index) => {
    tabs.append(
      element(
        'button',
        { type: 'button', role: 'tab', onclick: () => choose(index) },
        `${table.title} (${table.rows.length})`,
      ),
    );
  });
  tabs.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const now = [...tabs.children].indexOf(document.activeElement);
    const next = (now + step + tables.length) % tables.length;
    choose(next);
    tabs.children[next].focus();
  };
  if (tables.length > 0) choose(0);
}

function showTable(table, sort = null, all = false) {
  // Columns of zeros say nothing.
  const columns = table.columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ unit, index }) => WORDS.includes(unit) || table.rows.some((row) => row.cells[index] !== 0));
  const rows = [...table.rows];
  if (sort) {
    const compare = (a, b) =>
      typeof a === 'number' ? a - b : a.localeCompare(b, undefined, { numeric: true });
    rows.sort((a, b) => sort.direction * compare(a.cells[sort.index], b.cells[sort.index]));
  }
  const head = columns.map((column) => {
    const words = WORDS.includes(column.unit);
    const sorted = sort && sort.index === column.index ? sort.direction : 0;
    const act = () => {
      showTable(table, { index: column.index, direction: sorted ? -sorted : words ? 1 : -1 }, all);
      byId('table').querySelectorAll('th button')[columns.indexOf(column)].focus();
    };
    const mark = sorted ? (sorted > 0 ? ' ▲' : ' ▼') : '';
    const title = column.unit === 'percent' ? `${column.title} %` : column.title;
    return element(
      'th',
      {
        class: words ? 'words' : '',
        scope: 'col',
        'aria-sort': sorted ? (sorted > 0 ? 'ascending' : 'descending') : 'none',
      },
      element('button', { type: 'button', onclick: act }, title + mark),
    );
  });
  const body = rows.slice(0, all ? rows.length : ROWS).map((row) => tableRow(row, columns));
  const more = rows.length - body.length;
  byId('table').replaceChildren(
    ...[
      table.note ? element('p', { class: 'note' }, table.note) : null,
      element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body)),
      more > 0
        ? element(
            'button',
            { type: 'button', onclick: () => showTable(table, sort, true) },
            `show ${more} more`,
          )
        : null,
    ].filter((part) => part !== null),
  );
}

function tableRow(row, columns) {
  const cells = columns.map(({ unit, index }) => {
    const value = row.cells[index];
    const cell = element(
      'td',
      { class: `${WORDS.includes(unit) ? 'words ' : ''}${unit === 'place' ? 'place' : ''}` },
      ...(unit === 'place' ? placed(value) : [inUnit(value, unit)]),
    );
    if (unit === 'place') cell.title = value;
    if (unit === 'percent') {
      cell.className = 'share';
      cell.style.backgroundImage = 'linear-gradient(hsl(var(--region) / 26%), hsl(var(--region) / 26%))';
      cell.style.backgroundSize = `calc(${Math.min(100, value)}% - 4px) 70%`;
    }
    return cell;
  });
  const leads = row.name !== null && row.name !== undefined;
  const made = element('tr', { class: leads ? 'leads' : '' }, ...cells);
  if (leads) {
    const go = () => leadTo(row.name);
    made.tabIndex = 0;
    made.title = 'shows the longest one in the timeline';
    made.addEventListener('click', go);
    made.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') go();
    });
  }
  return made;
}

/// A place in parts: the function, which may be cut, and the line, which may not.
function placed(place) {
  const parts = /^(.*)( \((?:[^()]*:|line )\d+\))(.*)$/.exec(place);
  if (!parts) return [element('span', {}, place)];
  return [
    element(
      'div',
      { class: 'parts' },
      element('span', { class: 'cut' }, parts[1]),
      element('span', {}, parts[2]),
      element('span', { class: 'cut soft' }, parts[3]),
    ),
  ];
}

/// Highlights a name in the timeline and shows its longest slice, or the given time.
function leadTo(name, range) {
  if (name !== null && name !== undefined) {
    highlight(name);
    search();
  }
  const longest = name === null || name === undefined ? null : view.trace.names[name].longest;
  if (range) frame(...range);
  else if (longest) {
    frame(longest[1], longest[2]);
    selectAt(...longest);
  }
  byId('timeline').scrollIntoView({ block: 'start' });
}

/// Selects the slice of a row that begins and ends so, if the page has it.
function selectAt(number, begin, end) {
  const row = view.trace.rows[number];
  row.lanes.forEach((lane, depth) => {
    const index = firstAfter(lane, begin);
    if (lane.begin[index] === begin && lane.end[index] === end) select({ row, lane: depth, index });
  });
}

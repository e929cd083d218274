// What the timeline shows: the time, the rows, the kinds, the search. Everything else is derived from it.

const KINDS = {
  region: 'region',
  work: 'work construct',
  task: 'task',
  wait: 'barrier, task wait',
  lock: 'waiting for a lock',
  held: 'critical, ordered, atomic',
  target: 'device construct',
  device: 'on a device',
};
/// The least time that is shown.
const LEAST = 20;

const view = {
  trace: null,
  from: 0,
  to: 1,
  hidden: new Set(),
  query: '',
  /// For each name, whether the search finds it; null without a search.
  found: null,
  rowQuery: '',
  /// The rows that are shown, each with its top and height.
  rows: [],
  height: 0,
  laneHeight: 18,
  selected: null,
};

function showTrace(trace) {
  Object.assign(view, { trace, from: 0, to: Math.max(trace.wall_ns, LEAST), selected: null });
  setRows(view.rowQuery);
  setQuery(view.query);
}

/// Shows the time from `from` to `to`, as far as it is in the run.
function setRange(from, to) {
  const wall = Math.max(view.trace.wall_ns, LEAST);
  const length = Math.min(Math.max(to - from, LEAST), wall);
  const begin = Math.min(Math.max(from + (to - from - length) / 2, 0), wall - length);
  [view.from, view.to] = [begin, begin + length];
  changed();
}

/// Zooms by a factor; the moment `at` stays where it is.
function zoom(factor, at) {
  setRange(at - (at - view.from) * factor, at + (view.to - at) * factor);
}

/// Moves by a part of what is visible.
function pan(part) {
  const by = Math.max(-view.from, Math.min(part * (view.to - view.from), view.trace.wall_ns - view.to));
  setRange(view.from + by, view.to + by);
}

/// Searches the names. Returns false for a regular expression that is none; it is searched for as it stands.
function setQuery(query) {
  view.query = query;
  view.found = null;
  let valid = true;
  if (query !== '') {
    let expression;
    try {
      expression = new RegExp(query, 'i');
    } catch {
      valid = false;
      expression = new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
    }
    const texts = view.trace.names.map((name) => [
      name.name,
      name.place,
      name.file && `${name.file}:${name.line}`,
    ]);
    view.found = texts.map((parts) => parts.some((part) => part && expression.test(part)));
  }
  changed();
  return valid;
}

/// Highlights one name alone, as a search for its construct.
function highlight(index) {
  const name = view.trace.names[index];
  const text = name.short || name.name;
  view.query = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  byId('search').value = view.query;
  setQuery(view.query);
}

/// Chooses rows: numbers and ranges of threads, or parts of labels.
function setRows(query) {
  view.rowQuery = query;
  const wanted = query
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '' && part !== 'all');
  const fits = (row) => (part) => {
    const range = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(part);
    if (!range) return row.label.toLowerCase().includes(part);
    const number = /^thread (\d+)$/.exec(row.label);
    return number !== null && +number[1] >= +range[1] && +number[1] <= +(range[2] ?? range[1]);
  };
  const shown = view.trace.rows.filter(
    (row) => (row.lanes.length > 0 || !row.device) && (wanted.length === 0 || wanted.some(fits(row))),
  );
  view.laneHeight = shown.length <= 16 ? 18 : shown.length <= 48 ? 13 : 9;
  let top = 0;
  view.rows = shown.map((row) => {
    const height = Math.max(row.lanes.length, 1) * view.laneHeight + 7;
    const placed = { row, top, height };
    top += height;
    return placed;
  });
  view.height = top;
  changed();
}

function toggleKind(kind) {
  if (!view.hidden.delete(kind)) view.hidden.add(kind);
  changed();
}

/// The windows in which every slice is there.
const isComplete = (from, to) => view.trace.windows.some(([begin, end]) => begin <= from && to <= end);

/// Shows the next time in which every slice is there; after the last, the first.
function goToWindow() {
  const { windows } = view.trace;
  if (windows.length === 0) return;
  const middle = (view.from + view.to) / 2;
  setRange(...(windows.find(([begin, end]) => (begin + end) / 2 > middle + 1) || windows[0]));
}

/// The number of slices of the run that the search finds, also of those that the page has only as cells.
function countMatches() {
  const found = view.trace.names.filter((name, index) => view.found[index] && !view.hidden.has(name.kind));
  return found.reduce((sum, name) => sum + name.count, 0);
}

/// Selects the next slice that the search finds, or the one before. Without a selection, the first in view.
function goToMatch(forward) {
  if (!view.found) return;
  const order = (a, b) => a[0] - b[0] || a[1].number - b[1].number || a[2] - b[2];
  const sign = forward ? 1 : -1;
  const now = view.selected
    ? [
        view.selected.row.lanes[view.selected.lane].begin[view.selected.index],
        view.selected.row,
        view.selected.lane,
      ]
    : [view.from, { number: -1 }, 0];
  // The nearest on the side, and the farthest on the other, where the search goes on at the end.
  let [nearest, farthest] = [null, null];
  for (const { row } of view.rows) {
    row.lanes.forEach((lane, depth) => {
      for (let i = 0; i < lane.name.length; i += 1) {
        if (!view.found[lane.name[i]] || view.hidden.has(view.trace.names[lane.name[i]].kind)) continue;
        const slice = [lane.begin[i], row, depth, i];
        if (sign * order(slice, now) > 0 && (!nearest || sign * order(slice, nearest) < 0)) nearest = slice;
        if (!farthest || sign * order(slice, farthest) < 0) farthest = slice;
      }
    });
  }
  if (!farthest) return;
  const [, row, lane, index] = nearest || farthest;
  select({ row, lane, index });
  reveal();
}

/// Moves the view to the selected slice, and zooms if it is too small to be seen or larger than the view.
function reveal() {
  const { row, lane, index } = view.selected;
  const [begin, end] = [row.lanes[lane].begin[index], row.lanes[lane].end[index]];
  const visible = view.to - view.from;
  if (end - begin < visible / 200 || end - begin > visible) frame(begin, end);
  else if (begin < view.from || end > view.to)
    setRange((begin + end - visible) / 2, (begin + end + visible) / 2);
}

/// Shows a time with some room around it.
function frame(begin, end) {
  const room = Math.max((end - begin) * 0.6, 10);
  setRange(begin - room, end + room);
}

function select(slice) {
  view.selected = slice;
  showDetails();
  changed();
}

/// The slice beside the selected one in its lane, or the one above or below.
function selectBeside(step, deeper) {
  const { row, lane, index } = view.selected;
  if (deeper === 0) {
    const next = index + step;
    if (next >= 0 && next < row.lanes[lane].name.length) select({ row, lane, index: next });
  } else if (row.lanes[lane + deeper]) {
    const other = row.lanes[lane + deeper];
    const found = firstAfter(other, row.lanes[lane].begin[index]);
    if (found < other.name.length) select({ row, lane: lane + deeper, index: found });
  }
  reveal();
}

let due = false;
/// Something has changed: the page is painted again.
function changed() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    paint();
    keepInAddress();
  });
}

/// The view as the page's fragment, so that a link leads to it.
function keepInAddress() {
  const parts = new URLSearchParams();
  if (view.from > 0 || view.to < view.trace.wall_ns)
    parts.set('t', `${Math.round(view.from)}-${Math.round(view.to)}`);
  if (view.query) parts.set('q', view.query);
  if (view.rowQuery) parts.set('rows', view.rowQuery);
  if (view.hidden.size > 0) parts.set('hide', [...view.hidden].join('.'));
  if (byId('process').value > 0) parts.set('process', byId('process').value);
  const text = parts.toString();
  // In a frame whose text a notebook holds, the page has no address of its own, and the browser refuses another one.
  if (location.protocol === 'about:') return;
  if (text !== location.hash.slice(1)) history.replaceState(null, '', text ? `#${text}` : '#');
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  view.hidden = new Set((parts.get('hide') || '').split('.').filter((kind) => kind in KINDS));
  byId('rows').value = view.rowQuery = parts.get('rows') || '';
  byId('search').value = view.query = parts.get('q') || '';
  return { process: Number(parts.get('process')) || 0, time: /^(\d+)-(\d+)$/.exec(parts.get('t') || '') };
}

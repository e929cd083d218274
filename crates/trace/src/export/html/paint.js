// The timeline's drawings: the use of the threads, the axis, and the lanes of each row.

const GUTTER = 92;
const AXIS = 22;
const USE = 46;
/// Above the rows: the axis, and the use of the threads.
const TOP = AXIS + USE + 8;
/// Narrower slices are not drawn one by one while cells show them.
const NARROW = 2;

const colours = { kinds: {}, activities: {} };

/// Reads the colours of the style, which depend on the light.
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(`--${name}`).trim();
  for (const kind of Object.keys(KINDS)) colours.kinds[kind] = value(kind).split(/[ %]+/).map(Number);
  const layers = {
    work: 'region',
    serial: 'serial',
    device: 'target',
    runtime: 'runtime',
    lock: 'lock',
    wait: 'wait',
    idle: 'idle',
  };
  for (const [activity, name] of Object.entries(layers)) colours.activities[activity] = `hsl(${value(name)})`;
  for (const name of ['paper', 'panel', 'ink', 'soft', 'line', 'accent', 'hover'])
    colours[name] = value(name);
  colours.names = [];
  heat.image = null;
}

/// The colour of a name: its kind's, lighter or darker by its number.
function colourOf(index) {
  if (!colours.names[index]) {
    const { kind, nth } = view.trace.names[index];
    const [hue, saturation, light] = colours.kinds[kind];
    const shift = [0, 9, -8, 5, -4][nth % 5];
    colours.names[index] = {
      fill: `hsl(${hue + [0, 7, -7][nth % 3]} ${saturation}% ${light + shift}%)`,
      ink: light + shift > 52 ? '#10151d' : '#ffffff',
    };
  }
  return colours.names[index];
}

/// Prepares a canvas for drawing in CSS pixels.
function prepared(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  canvas.style.height = `${height}px`;
  const to = canvas.getContext('2d');
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.clearRect(0, 0, width, height);
  to.font = '11px system-ui, "Segoe UI", sans-serif';
  to.textBaseline = 'middle';
  return to;
}

/// The geometry of the lanes' canvas as it is now.
function geometry() {
  const width = byId('scroller').clientWidth;
  const height = Math.max(Math.min(TOP + view.height + 4, Math.round(window.innerHeight * 0.72)), TOP + 30);
  const scale = (width - GUTTER) / (view.to - view.from);
  return { width, height, scale, scroll: byId('scroller').scrollTop };
}

const xOf = (ns, scale) => GUTTER + (ns - view.from) * scale;

function paint() {
  paintOverview();
  paintHeat();
  const area = geometry();
  byId('spacer').style.height = `${Math.max(0, TOP + view.height + 4 - area.height)}px`;
  const to = prepared(byId('lanes'), area.width, area.height);
  paintGrid(to, area);
  to.save();
  to.beginPath();
  to.rect(0, TOP, area.width, area.height - TOP);
  to.clip();
  for (const placed of view.rows) {
    const top = TOP + placed.top - area.scroll;
    if (top > area.height || top + placed.height < TOP) continue;
    paintRow(to, placed, top, area);
  }
  paintSelection(to, area);
  to.restore();
  to.fillStyle = colours.panel;
  to.fillRect(0, 0, area.width, TOP - 1);
  paintUse(to, GUTTER, AXIS, area.width - GUTTER, USE, view.from, view.to);
  paintAxis(to, area);
  const complete = isComplete(view.from, view.to);
  byId('scale').textContent = complete
    ? `${duration(view.to - view.from)} in view. Every slice of this time is in the page; zoom in to see short ones one by one.`
    : `${duration(view.to - view.from)} in view. Long slices are shown as they were; short ones are summed up in cells of ${duration(view.trace.cells.ns)}.` +
      ' The marks below the axis are times in which every slice is recorded in the page.';
}

function paintOverview() {
  const canvas = byId('overview');
  const width = canvas.clientWidth;
  const to = prepared(canvas, width, 44);
  const wall = Math.max(view.trace.wall_ns, LEAST);
  paintUse(to, GUTTER, 0, width - GUTTER, 44, 0, wall);
  const [x0, x1] = [view.from, view.to].map((ns) => GUTTER + (ns / wall) * (width - GUTTER));
  if (view.from > 0 || view.to < wall) {
    to.globalAlpha = 0.72;
    to.fillStyle = colours.panel;
    to.fillRect(GUTTER, 0, x0 - GUTTER, 44);
    to.fillRect(x1, 0, width - x1, 44);
    to.globalAlpha = 1;
    to.strokeStyle = colours.accent;
    to.lineWidth = 2;
    to.strokeRect(Math.min(x0, width - 4), 1, Math.max(x1 - x0, 3), 42);
  }
  label(to, 'whole run', 4, 22, GUTTER - 8, colours.soft);
}

/// How many threads do what, as layers.
function paintUse(to, left, top, width, height, from, to_ns) {
  const { layers, activities, buckets, ns } = view.trace.usage;
  const most = Math.max(1, view.trace.threads);
  const columns = Math.max(1, Math.ceil(width));
  const sums = new Float64Array(layers.length);
  for (let column = 0; column < columns; column += 1) {
    const begin = from + (column / columns) * (to_ns - from);
    const end = from + ((column + 1) / columns) * (to_ns - from);
    const first = Math.min(buckets - 1, Math.floor(begin / ns));
    const last = Math.min(buckets - 1, Math.max(first, Math.ceil(end / ns) - 1));
    sums.fill(0);
    for (let bucket = first; bucket <= last; bucket += 1)
      layers.forEach((layer, i) => {
        sums[i] += layer[bucket];
      });
    let y = top + height;
    for (let i = 0; i < layers.length; i += 1) {
      const high = (sums[i] / (last - first + 1) / most) * height;
      if (high > 0.2) {
        to.fillStyle = colours.activities[activities[i]];
        to.fillRect(left + column, y - high, 1, high);
        y -= high;
      }
    }
  }
}

/// The moments that the axis names, and the distance between them.
function ticks(area) {
  const wanted = (view.to - view.from) / Math.max(2, (area.width - GUTTER) / 120);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= wanted),
  );
  const list = [];
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step)
    list.push([at, Math.round(xOf(at, area.scale)) + 0.5]);
  return { list, step };
}

function paintGrid(to, area) {
  to.fillStyle = colours.line;
  for (const [, x] of ticks(area).list) to.fillRect(x - 0.5, TOP, 1, area.height);
}

function paintAxis(to, area) {
  const { list, step } = ticks(area);
  for (const [at, x] of list) {
    to.fillStyle = colours.line;
    to.fillRect(x - 0.5, 4, 1, AXIS - 6);
    label(to, moment(at, step), x + 4, AXIS / 2, Math.min(116, area.width - x - 6), colours.soft);
  }
  if (!isComplete(view.from, view.to)) {
    to.fillStyle = colours.accent;
    for (const [begin, end] of view.trace.windows) {
      const x = xOf(begin, area.scale);
      if (end > view.from && begin < view.to)
        to.fillRect(Math.max(x, GUTTER), AXIS - 3, Math.max(2, (end - begin) * area.scale), 2);
    }
  }
  label(to, 'threads', 4, AXIS + USE / 2, GUTTER - 8, colours.soft);
}

/// A text in at most `width` pixels.
function label(to, text, x, y, width, colour) {
  to.fillStyle = colour;
  let shown = text;
  if (to.measureText(text).width > width) {
    const letters = Math.floor(width / 6.2) - 1;
    if (letters < 2) return;
    shown = `${text.slice(0, letters)}…`;
  }
  to.fillText(shown, x, y);
}

function paintRow(to, { row, height }, top, area) {
  to.fillStyle = colours.line;
  to.globalAlpha = 0.6;
  to.fillRect(0, Math.round(top + height - 4), area.width, 1);
  to.globalAlpha = 1;
  to.save();
  to.beginPath();
  to.rect(GUTTER, TOP, area.width - GUTTER, area.height);
  to.clip();
  row.lanes.forEach((lane, depth) => {
    const y = top + depth * view.laneHeight;
    if (lane.levels) paintCells(to, lane, y, area);
    paintSlices(to, lane, y, area);
  });
  to.restore();
  label(to, row.label, 6, top + Math.min(height - 7, view.laneHeight) / 2 + 0.5, GUTTER - 10, colours.ink);
}

/// How strongly a name is drawn: 0 if its kind is hidden, faint if the search does not find it.
function strength(name) {
  if (view.hidden.has(view.trace.names[name].kind)) return 0;
  return !view.found || view.found[name] ? 1 : 0.13;
}

/// The level of cells that are about a pixel wide, and their duration.
function levelFor(lane, scale) {
  let level = 0;
  let ns = view.trace.cells.ns;
  while (ns * scale < 1 && level + 1 < lane.levels.length) {
    level += 1;
    ns *= 2;
  }
  return [lane.levels[level], ns];
}

function paintCells(to, lane, y, area) {
  const [{ names, shares }, ns] = levelFor(lane, area.scale);
  const wide = ns * area.scale > NARROW;
  const first = Math.max(0, Math.floor(view.from / ns));
  const last = Math.min(names.length - 1, Math.ceil(view.to / ns));
  for (let i = first; i <= last; i += 1) {
    if (names[i] === 0) continue;
    // Where every slice is there, wide cells would only blur them.
    if (wide && isComplete(i * ns, (i + 1) * ns)) continue;
    let next = i;
    while (next < last && names[next + 1] === names[i] && shares[next + 1] === shares[i]) next += 1;
    const name = names[i] - 1;
    const strong = strength(name);
    if (strong > 0) {
      to.globalAlpha = strong * (0.25 + (0.75 * shares[i]) / 255) * (wide ? 0.55 : 1);
      to.fillStyle = colourOf(name).fill;
      to.fillRect(
        xOf(i * ns, area.scale),
        y,
        Math.max(1, (next + 1 - i) * ns * area.scale),
        view.laneHeight - 1,
      );
    }
    i = next;
  }
  to.globalAlpha = 1;
}

function paintSlices(to, lane, y, area) {
  // Without cells, narrow slices show that there is something.
  const least = lane.levels && view.trace.cells.ns * area.scale <= NARROW ? NARROW : 0;
  const count = lane.begin.length;
  let painted = -1;
  for (let i = firstAfter(lane, view.from); i < count && lane.begin[i] < view.to; i += 1) {
    const wide = (lane.end[i] - lane.begin[i]) * area.scale;
    if (wide < least) continue;
    const strong = strength(lane.name[i]);
    if (strong === 0) continue;
    const x = xOf(lane.begin[i], area.scale);
    const right = Math.max(x + wide, x + 1);
    // Many slices in one pixel are one.
    if (right <= painted) continue;
    painted = wide < 1 ? right : -1;
    const colour = colourOf(lane.name[i]);
    const [from, until] = [Math.max(x, GUTTER - 2), Math.min(right, area.width + 2)];
    to.globalAlpha = 1;
    to.fillStyle = colours.panel;
    to.fillRect(from, y, until - from, view.laneHeight - 1);
    to.globalAlpha = strong;
    to.fillStyle = colour.fill;
    to.fillRect(from, y, wide > 4 ? until - from - 0.7 : until - from, view.laneHeight - 1);
    if (until - from > 34 && view.laneHeight >= 13) {
      const { name, short } = view.trace.names[lane.name[i]];
      label(
        to,
        short ? `${name} ${short}` : name,
        Math.max(from, GUTTER) + 4,
        y + (view.laneHeight - 1) / 2 + 0.5,
        until - Math.max(from, GUTTER) - 8,
        colour.ink,
      );
    }
  }
  to.globalAlpha = 1;
}

function paintSelection(to, area) {
  if (!view.selected) return;
  const placed = view.rows.find(({ row }) => row === view.selected.row);
  if (!placed) return;
  const lane = placed.row.lanes[view.selected.lane];
  const x = xOf(lane.begin[view.selected.index], area.scale);
  const wide = Math.max(4, (lane.end[view.selected.index] - lane.begin[view.selected.index]) * area.scale);
  if (x + wide < GUTTER) return;
  to.strokeStyle = colours.ink;
  to.lineWidth = 2;
  to.strokeRect(
    Math.max(x, GUTTER) - 1,
    TOP + placed.top - area.scroll + view.selected.lane * view.laneHeight - 1,
    x + wide - Math.max(x, GUTTER) + 2,
    view.laneHeight + 1,
  );
}

/// What lies at a point of the lanes' canvas: a slice, a cell, or nothing.
function hit(x, y) {
  const area = geometry();
  if (x < GUTTER || y < TOP) return null;
  const down = y - TOP + area.scroll;
  const placed = view.rows.find(({ top, height }) => down >= top && down < top + height - 4);
  if (!placed) return null;
  const depth = Math.floor((down - placed.top) / view.laneHeight);
  const lane = placed.row.lanes[depth];
  if (!lane) return null;
  const ns = view.from + (x - GUTTER) / area.scale;
  const near = 1.5 / area.scale;
  const shown = (name) => !view.hidden.has(view.trace.names[name].kind);
  const index = firstAfter(lane, ns - near);
  if (index < lane.name.length && lane.begin[index] <= ns + near && shown(lane.name[index])) {
    return { row: placed.row, lane: depth, index };
  }
  if (!lane.levels) return null;
  const [{ names, shares }, length] = levelFor(lane, area.scale);
  const cell = Math.floor(ns / length);
  if (!names[cell] || !shown(names[cell] - 1)) return null;
  return {
    row: placed.row,
    lane: depth,
    cell: {
      begin: cell * length,
      end: (cell + 1) * length,
      name: names[cell] - 1,
      share: shares[cell] / 255,
    },
  };
}

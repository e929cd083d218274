// The ranks of a job over time: how much of their threads' time is useful. The time is that of the timeline.

const heat = { rows: [], cells: 0, cellNs: 1, image: null, rowHeight: 1 };
/// The map is at most so high.
const HIGHEST = 640;

/// Reads the rows, if the page has any.
async function loadHeat() {
  const data = document.querySelector('script.ranks');
  if (!data) return;
  const { cells, cell_ns, rows } = JSON.parse(data.textContent);
  const bytes = await inflated(document.querySelector('script.heat').textContent);
  rows.forEach((row, index) => (row.shares = bytes.subarray(index * cells, (index + 1) * cells)));
  Object.assign(heat, { rows, cells, cellNs: cell_ns });
  byId('ranks-section').hidden = rows.length === 0;
  listenToHeat(byId('heat'));
}

/// The red, green and blue of a colour that the style gives as hue, saturation and light.
function rgb([hue, saturation, light]) {
  const [s, l] = [saturation / 100, light / 100];
  const part = (n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}

/// The map with a pixel a cell: from the colour of waiting to that of regions.
function drawHeat() {
  const [none, all] = [rgb(colours.kinds.wait), rgb(colours.kinds.region)];
  const image = new OffscreenCanvas(heat.cells, heat.rows.length);
  const pixels = new ImageData(heat.cells, heat.rows.length);
  heat.rows.forEach(({ shares }, row) => {
    for (let cell = 0; cell < heat.cells; cell += 1) {
      if (shares[cell] === 0) continue;
      const part = (shares[cell] - 1) / 254;
      const at = 4 * (row * heat.cells + cell);
      for (let i = 0; i < 3; i += 1) pixels.data[at + i] = none[i] + (all[i] - none[i]) * part;
      pixels.data[at + 3] = 255;
    }
  });
  image.getContext('2d').putImageData(pixels, 0, 0);
  heat.image = image;
}

/// The row of the process that the timeline shows; none if the process has no rank.
const heatRow = () => heat.rows.find(({ process }) => process === Number(byId('process').value));

/// The time that the map shows, from the begin of the first rank: all ranks' time, or what the timeline is zoomed to.
function heatRange() {
  const row = heatRow();
  const whole = view.from <= 0 && view.to >= Math.max(view.trace.wall_ns, LEAST);
  if (whole || !row) return [0, heat.cells * heat.cellNs];
  return [view.from + row.offset_ns, view.to + row.offset_ns];
}

function paintHeat() {
  if (heat.rows.length === 0) return;
  if (!heat.image) drawHeat();
  const canvas = byId('heat');
  const width = canvas.clientWidth;
  heat.rowHeight = Math.min(16, HIGHEST / heat.rows.length);
  const high = heat.rowHeight * heat.rows.length;
  const to = prepared(canvas, width, Math.ceil(high) + AXIS);
  const [from, end] = heatRange();
  const [x, w] = [from / heat.cellNs, (end - from) / heat.cellNs];
  to.imageSmoothingEnabled = false;
  to.drawImage(heat.image, x, 0, w, heat.rows.length, GUTTER, 0, width - GUTTER, high);
  // As many labels as have room.
  const every = Math.ceil(14 / heat.rowHeight);
  heat.rows.forEach((row, index) => {
    if (index % every === 0)
      label(to, `rank ${row.rank}`, 4, (index + 0.5) * heat.rowHeight, GUTTER - 8, colours.soft);
  });
  const shown = heat.rows.indexOf(heatRow());
  if (shown >= 0) {
    to.strokeStyle = colours.accent;
    to.lineWidth = 2;
    to.strokeRect(GUTTER, shown * heat.rowHeight, width - GUTTER - 1, Math.max(heat.rowHeight, 2));
  }
  label(to, moment(from, (end - from) / 10), GUTTER, high + AXIS / 2, 200, colours.soft);
  const last = moment(end, (end - from) / 10);
  label(to, last, width - to.measureText(last).width - 2, high + AXIS / 2, 200, colours.soft);
}

/// The row and the cell at a place of the canvas; none outside.
function heatAt(event) {
  const canvas = byId('heat');
  const row = heat.rows[Math.floor(event.offsetY / heat.rowHeight)];
  const [from, end] = heatRange();
  const ns = from + ((event.offsetX - GUTTER) / (canvas.clientWidth - GUTTER)) * (end - from);
  if (!row || event.offsetX < GUTTER || ns < 0) return null;
  const cell = Math.floor(ns / heat.cellNs);
  return cell < heat.cells ? { row, cell, ns } : null;
}

function showHeatTip(found, event) {
  const tip = byId('tip');
  tip.hidden = !found;
  if (!found) return;
  const { row, cell } = found;
  const share = row.shares[cell];
  const words =
    share === 0 ? 'nothing was recorded' : `${percent((100 * (share - 1)) / 254)} of the threads' time is useful`;
  const time = `${duration(heat.cellNs)} from ${moment(cell * heat.cellNs, heat.cellNs / 10)} on, on ${row.host}`;
  const where = row.process === null ? 'this page has the row of this rank alone' : 'a click shows its timeline';
  tip.replaceChildren(
    element('div', { class: 'slice-name' }, `rank ${row.rank}`),
    element('div', {}, words),
    element('div', { class: 'slice-times' }, time),
    element('div', { class: 'soft' }, where),
  );
  placeTip(event);
}

function listenToHeat(canvas) {
  let drag = null;
  // The moment as the timeline counts.
  const at = (event) => {
    const [from, end] = heatRange();
    const part = Math.max(0, event.offsetX - GUTTER) / (canvas.clientWidth - GUTTER);
    return from + part * (end - from) - (heatRow()?.offset_ns || 0);
  };
  const wheel = (event) => {
    if (event.ctrlKey || event.metaKey) zoom(Math.exp(event.deltaY * 0.003), at(event));
    else if (event.shiftKey) pan((event.deltaX || event.deltaY) * 0.001);
    else return;
    event.preventDefault();
  };
  canvas.addEventListener('wheel', wheel, { passive: false });
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    drag = { x: event.offsetX, at: at(event), from: view.from, to: view.to, marks: event.shiftKey };
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!drag) return showHeatTip(heatAt(event), event);
    byId('tip').hidden = true;
    if (drag.marks) return undefined;
    const by = ((drag.x - event.offsetX) / (canvas.clientWidth - GUTTER)) * (drag.to - drag.from);
    const kept = Math.max(-drag.from, Math.min(by, view.trace.wall_ns - drag.to));
    return setRange(drag.from + kept, drag.to + kept);
  });
  canvas.addEventListener('pointerup', (event) => {
    const ended = drag;
    drag = null;
    if (!ended) return;
    const moved = Math.abs(event.offsetX - ended.x) > 3;
    if (moved && ended.marks) setRange(...[ended.at, at(event)].sort((a, b) => a - b));
    const found = moved ? null : heatAt(event);
    if (found && found.row.process !== null && found.row !== heatRow()) {
      byId('process').value = found.row.process;
      byId('process').dispatchEvent(new Event('change'));
    }
  });
  canvas.addEventListener('pointerleave', () => {
    byId('tip').hidden = true;
  });
}

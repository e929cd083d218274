// What the user does with the timeline: keys, wheel, drag, hover, click.

const KEYS = [
  ['w s', 'zoom in and out'],
  ['a d', 'move left and right'],
  ['0', 'the whole run'],
  ['e', 'the next time in which every slice is there'],
  ['f', 'zoom to the selected slice'],
  ['← →', 'the slice before or after'],
  ['↑ ↓', 'the slice around or inside'],
  ['/', 'search'],
  ['n N', 'next or previous match'],
  ['Esc', 'end search and selection'],
  ['?', 'these keys'],
  ['wheel', 'scrolls the rows; with Ctrl it zooms, with Shift it moves'],
  ['drag', 'moves; with Shift it zooms to what is marked'],
  ['double click', 'zooms to the slice'],
];

/// Where the pointer is over the lanes: a moment; the middle of the view if it is elsewhere.
let pointer = null;

function middle() {
  return pointer === null ? (view.from + view.to) / 2 : momentAt(pointer);
}

function momentAt(x) {
  return view.from + Math.max(0, x - GUTTER) / geometry().scale;
}

/// What a key does; false if nothing.
function press(key) {
  switch (key) {
    case 'w':
    case '+':
      zoom(0.7, middle());
      return true;
    case 's':
    case '-':
      zoom(1 / 0.7, middle());
      return true;
    case 'a':
      pan(-0.15);
      return true;
    case 'd':
      pan(0.15);
      return true;
    case '0':
    case 'Home':
      setRange(0, view.trace.wall_ns);
      return true;
    case 'e':
      goToWindow();
      return true;
    case '/':
      byId('search').focus();
      byId('search').select();
      return true;
    case 'n':
      goToMatch(true);
      return true;
    case 'N':
      goToMatch(false);
      return true;
    case '?':
      toggleKeys();
      return true;
    case 'Escape':
      byId('search').value = '';
      search();
      select(null);
      return true;
    default:
  }
  if (!view.selected) return false;
  const { row, lane, index } = view.selected;
  switch (key) {
    case 'f':
      frame(row.lanes[lane].begin[index], row.lanes[lane].end[index]);
      return true;
    case 'ArrowLeft':
      selectBeside(-1, 0);
      return true;
    case 'ArrowRight':
      selectBeside(1, 0);
      return true;
    case 'ArrowUp':
      selectBeside(0, -1);
      return true;
    case 'ArrowDown':
      selectBeside(0, 1);
      return true;
    default:
      return false;
  }
}

function toggleKeys() {
  const keys = byId('keys');
  keys.hidden = !keys.hidden;
  byId('show-keys').setAttribute('aria-expanded', String(!keys.hidden));
}

function search() {
  const field = byId('search');
  field.setAttribute('aria-invalid', String(!setQuery(field.value)));
  const found = view.found ? countMatches() : 0;
  byId('matches').textContent = view.found ? `${grouped(String(found))} slice${found === 1 ? '' : 's'}` : '';
}

function listen() {
  const lanes = byId('lanes');
  document.addEventListener('keydown', (event) => {
    const field = event.target.closest('input, select, textarea');
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (field) {
      if (event.target.id === 'search' && event.key === 'Enter') goToMatch(!event.shiftKey);
      if (event.key === 'Escape') lanes.focus();
      return;
    }
    const arrows = event.key.startsWith('Arrow') || event.key === 'Home';
    if (arrows && document.activeElement !== lanes) return;
    if (press(event.key)) event.preventDefault();
  });
  for (const [kind, words] of Object.entries(KINDS)) {
    const button = element(
      'button',
      { type: 'button', 'aria-pressed': 'true', 'data-kind': kind },
      swatch(`var(--${kind})`),
      words,
    );
    button.addEventListener('click', () => toggleKind(kind));
    byId('kinds').append(button);
  }
  for (const [keys, words] of KEYS) {
    byId('keys').append(
      element('div', {}, ...keys.split(' ').flatMap((key) => [element('kbd', {}, key), ' ']), words),
    );
  }
  byId('search').addEventListener('input', search);
  byId('rows').addEventListener('input', () => setRows(byId('rows').value));
  byId('previous').addEventListener('click', () => goToMatch(false));
  byId('next').addEventListener('click', () => goToMatch(true));
  byId('zoom-in').addEventListener('click', () => zoom(0.5, (view.from + view.to) / 2));
  byId('zoom-out').addEventListener('click', () => zoom(2, (view.from + view.to) / 2));
  byId('zoom-all').addEventListener('click', () => press('0'));
  byId('show-keys').addEventListener('click', toggleKeys);
  byId('scroller').addEventListener('scroll', changed);
  lanes.addEventListener('wheel', wheel, { passive: false });
  listenToPointer(lanes);
  listenToOverview(byId('overview'));
  window.addEventListener('resize', changed);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    readColours();
    changed();
  });
}

function wheel(event) {
  if (event.ctrlKey || event.metaKey) zoom(Math.exp(event.deltaY * 0.003), momentAt(event.offsetX));
  else if (event.shiftKey) pan((event.deltaX || event.deltaY) * 0.001);
  else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX * 0.001);
  else return;
  event.preventDefault();
}

function listenToPointer(lanes) {
  let drag = null;
  lanes.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    drag = { x: event.offsetX, from: view.from, to: view.to, marks: event.shiftKey, moved: false };
    lanes.setPointerCapture(event.pointerId);
  });
  lanes.addEventListener('pointermove', (event) => {
    pointer = event.offsetX;
    if (!drag) {
      showTip(hit(event.offsetX, event.offsetY), event);
      return;
    }
    drag.moved ||= Math.abs(event.offsetX - drag.x) > 3;
    if (!drag.moved) return;
    byId('tip').hidden = true;
    lanes.classList.add('dragging');
    if (!drag.marks) {
      const by = (drag.x - event.offsetX) / geometry().scale;
      const kept = Math.max(-drag.from, Math.min(by, view.trace.wall_ns - drag.to));
      setRange(drag.from + kept, drag.to + kept);
    }
  });
  lanes.addEventListener('pointerup', (event) => {
    lanes.classList.remove('dragging');
    const ended = drag;
    drag = null;
    if (ended && ended.moved) {
      if (ended.marks) setRange(...[momentAt(ended.x), momentAt(event.offsetX)].sort((a, b) => a - b));
      return;
    }
    const found = hit(event.offsetX, event.offsetY);
    select(found && !found.cell ? found : null);
  });
  lanes.addEventListener('pointerleave', () => {
    pointer = null;
    byId('tip').hidden = true;
  });
  lanes.addEventListener('dblclick', (event) => {
    const found = hit(event.offsetX, event.offsetY);
    if (!found) return;
    const lane = found.row.lanes[found.lane];
    frame(
      ...(found.cell ? [found.cell.begin, found.cell.end] : [lane.begin[found.index], lane.end[found.index]]),
    );
  });
}

/// A drag over the whole run chooses a time; a click moves the view there.
function listenToOverview(canvas) {
  let start = null;
  const at = (event) =>
    Math.max(0, ((event.offsetX - GUTTER) / (canvas.clientWidth - GUTTER)) * view.trace.wall_ns);
  canvas.addEventListener('pointerdown', (event) => {
    start = at(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (start === null) return;
    const [from, to] = [start, at(event)].sort((a, b) => a - b);
    if (to - from > view.trace.wall_ns / 500) setRange(from, to);
  });
  canvas.addEventListener('pointerup', (event) => {
    if (start !== null && Math.abs(at(event) - start) <= view.trace.wall_ns / 500) {
      const half = (view.to - view.from) / 2;
      const center = Math.min(Math.max(start, half), view.trace.wall_ns - half);
      setRange(center - half, center + half);
    }
    start = null;
  });
}

const swatch = (colour) => {
  const made = element('span', { class: 'swatch' });
  made.style.background = colour.startsWith('var') ? `hsl(${colour})` : colour;
  return made;
};

/// What is known of a slice or cell.
function described(found) {
  const lane = found.row.lanes[found.lane];
  const index = found.cell ? found.cell.name : lane.name[found.index];
  const name = view.trace.names[index];
  const parts = [element('div', { class: 'slice-name' }, swatch(colourOf(index).fill), name.name)];
  if (name.place) parts.push(element('div', { class: 'place' }, name.place));
  if (name.file) parts.push(element('div', { class: 'place soft' }, `${name.file}:${name.line}`));
  if (name.source) {
    const lines = name.source.lines.map((text, nth) => {
      const number = name.source.first + nth;
      return element(
        'div',
        { class: number === name.source.line ? 'here' : 'soft' },
        `${String(number).padStart(5)}  ${text}`,
      );
    });
    parts.push(element('pre', { class: 'source' }, ...lines));
  }
  if (found.cell) {
    const { begin, end, share } = found.cell;
    parts.push(
      element(
        'div',
        { class: 'slice-times' },
        `${percent(share * 100)} of ${duration(end - begin)} from ${moment(begin, (end - begin) / 10)} on is in slices too short to be shown; most of it in this`,
      ),
    );
  } else {
    const [begin, end] = [lane.begin[found.index], lane.end[found.index]];
    parts.push(
      element(
        'div',
        { class: 'slice-times' },
        `${duration(end - begin)} from ${moment(begin, 1)} on, ${found.row.label}`,
      ),
    );
  }
  parts.push(
    element(
      'div',
      { class: 'soft' },
      `in the whole run: ${grouped(String(name.count))} slice${name.count === 1 ? '' : 's'}, ${duration(name.total)}, the longest ${duration(name.longest[2] - name.longest[1])}`,
    ),
  );
  return { parts, index };
}

function showTip(found, event) {
  const tip = byId('tip');
  tip.hidden = !found;
  if (!found) return;
  tip.replaceChildren(...described(found).parts);
  placeTip(event);
}

/// Puts the tip beside the pointer, inside of the window.
function placeTip(event) {
  const tip = byId('tip');
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 16, window.innerWidth - width - 8))}px`;
  tip.style.top = `${event.clientY + 20 + height > window.innerHeight ? Math.max(4, event.clientY - height - 14) : event.clientY + 20}px`;
}

/// The selected slice, below the timeline.
function showDetails() {
  const details = byId('details');
  if (!view.selected) {
    details.replaceChildren();
    return;
  }
  const { row, lane, index } = view.selected;
  const { parts, index: name } = described(view.selected);
  const button = (words, act) => element('button', { type: 'button', onclick: act }, words);
  const [, begin, end] = view.trace.names[name].longest;
  details.replaceChildren(
    element(
      'div',
      {},
      ...parts,
      element(
        'div',
        { class: 'actions' },
        button('zoom to it', () => frame(row.lanes[lane].begin[index], row.lanes[lane].end[index])),
        button('find all like it', () => {
          highlight(name);
          search();
        }),
        button('show the longest', () => frame(begin, end)),
      ),
    ),
  );
}

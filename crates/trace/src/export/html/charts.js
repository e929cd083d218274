// Where the time went, how long things took, and the graph of the tasks.

const ACTIVITY_WORDS = {
  work: 'work in regions',
  serial: 'outside of regions',
  device: 'in device constructs',
  runtime: 'runtime',
  lock: 'waiting for locks',
  wait: 'waiting in barriers and for tasks',
  idle: 'workers without a region',
};

function showWhere({ activities, totals }) {
  const sum = totals.reduce((a, b) => a + b, 0);
  byId('where-section').hidden = sum === 0;
  const bar = element('div', {
    class: 'bar',
    role: 'img',
    'aria-label': "shares of the threads' time; the numbers follow",
  });
  const legend = element('div', { class: 'legend' });
  activities.forEach((activity, index) => {
    if (totals[index] === 0) return;
    const part = element('div', { title: `${ACTIVITY_WORDS[activity]}: ${duration(totals[index])}` });
    part.style.width = `${(100 * totals[index]) / sum}%`;
    const colour = { work: 'region', device: 'target' }[activity] || activity;
    part.style.background = `hsl(var(--${colour}))`;
    bar.append(part);
    legend.append(
      element(
        'span',
        {},
        swatch(`var(--${colour})`),
        `${ACTIVITY_WORDS[activity]} `,
        element('b', {}, percent((100 * totals[index]) / sum)),
        element('span', { class: 'soft' }, duration(totals[index])),
      ),
    );
  });
  byId('where').replaceChildren(bar, legend);
}

/// A choice of histograms: chunks of loops, tasks, then whatever has several slices, by its time.
function showLengths(names, chunks) {
  const counted = (name) => name.lengths.reduce((sum, [, count]) => sum + count, 0);
  const words = (name) => (name.place ? `${name.name} — ${name.place}` : name.name);
  const several = names.filter((name) => counted(name) > 1).sort((a, b) => b.total - a.total);
  const note = 'The time from the begin to the end of each.';
  const choices = [
    ...several
      .filter(({ kind }) => kind === 'task')
      .map((name) => ({
        ...name,
        words: words(name),
        note: "The time for which each task ran the program's code.",
      })),
    ...chunks.map((loop) => ({
      ...loop,
      kind: 'work',
      step: 2,
      words: words(loop),
      note: 'The time of each chunk.',
    })),
    ...several.filter(({ kind }) => kind !== 'task').map((name) => ({ ...name, words: words(name), note })),
  ].slice(0, 300);
  byId('lengths-section').hidden = choices.length === 0;
  const list = byId('lengths-of');
  list.replaceChildren(...choices.map((choice, index) => element('option', { value: index }, choice.words)));
  const show = () => {
    const choice = choices[list.value];
    byId('lengths').replaceChildren(histogram(choice), element('p', { class: 'note' }, choice.note));
  };
  list.onchange = show;
  if (choices.length > 0) show();
}

/// The begin of a bucket in nanoseconds.
const bucketBegin = (bucket) => (bucket % 2 === 0 ? 2 ** (bucket / 2) : 1.5 * 2 ** ((bucket - 1) / 2));

/// Bars for buckets, of which each has `step` of the usual width.
function histogram({ lengths, kind, step = 1 }) {
  const first = lengths[0][0];
  const last = lengths[lengths.length - 1][0];
  const most = Math.max(...lengths.map(([, count]) => count));
  const [width, height, foot] = [Math.max(46, Math.min(90, 900 / ((last - first) / step + 1))), 150, 34];
  const bars = [];
  const counts = new Map(lengths);
  for (let bucket = first; bucket <= last; bucket += step) {
    const count = counts.get(bucket) || 0;
    const high = count === 0 ? 0 : Math.max(2, (count / most) * height);
    const x = ((bucket - first) / step) * width;
    const title = drawn(
      'title',
      {},
      `${grouped(String(count))} from ${duration(bucketBegin(bucket))} to ${duration(bucketBegin(bucket + step))}`,
    );
    const bar = drawn(
      'rect',
      { x: x + 2, y: 16 + height - high, width: width - 4, height: high, rx: 2 },
      title,
    );
    bar.style.fill = `hsl(var(--${kind}))`;
    bars.push(bar);
    if (count > 0)
      bars.push(
        drawn(
          'text',
          { x: x + width / 2, y: 11 + height - high, 'text-anchor': 'middle' },
          grouped(String(count)),
        ),
      );
    bars.push(
      drawn('text', { x: x + 2, y: height + foot, 'text-anchor': 'middle' }, duration(bucketBegin(bucket))),
    );
  }
  const whole = ((last - first) / step + 1) * width;
  bars.push(
    drawn(
      'text',
      { x: whole, y: height + foot, 'text-anchor': 'middle' },
      duration(bucketBegin(last + step)),
    ),
  );
  return drawn(
    'svg',
    {
      viewBox: `-30 0 ${whole + 60} ${height + foot + 6}`,
      width: whole + 60,
      role: 'img',
      'aria-label': 'histogram of lengths',
    },
    ...bars,
  );
}

function showGraph(graph) {
  byId('graph-section').hidden = !graph;
  if (!graph) return;
  const facts = [
    ['created', grouped(String(graph.created))],
    ['completed', grouped(String(graph.completed))],
    ['ran', duration(graph.work)],
    ['most waiting or running', grouped(String(graph.most_pending))],
    ['deepest nesting', graph.deepest],
    ['with depend clauses', grouped(String(graph.dependent))],
    ['delayed by a dependence', grouped(String(graph.dependences))],
    [
      'longest chain',
      `${duration(graph.chain_ns)} in ${graph.chain_tasks} task${graph.chain_tasks === 1 ? '' : 's'}`,
    ],
    ['work / longest chain', graph.chain_ns > 0 ? (graph.work / graph.chain_ns).toFixed(1) : '–'],
  ];
  byId('measures').replaceChildren(
    ...facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
  byId('graph').replaceChildren(
    graph.small
      ? graphDrawing(graph.small)
      : element('p', { class: 'note' }, 'There are too many tasks to draw them all.'),
  );
}

/// The layer of each task: one more than those it waits for, and than its creator's.
function layered(nodes, edges) {
  const before = new Map(nodes.map(({ id }) => [id, []]));
  for (const [source, sink] of edges)
    if (before.has(source) && before.has(sink)) before.get(sink).push(source);
  for (const { id, parent } of nodes) if (before.has(parent)) before.get(id).push(parent);
  const layers = new Map();
  const layer = (id, depth) => {
    if (!layers.has(id) && depth <= nodes.length) {
      layers.set(id, 0);
      layers.set(id, Math.max(0, ...before.get(id).map((other) => layer(other, depth + 1) + 1)));
    }
    return layers.get(id) || 0;
  };
  nodes.forEach(({ id }) => layer(id, 0));
  return { layers, before };
}

/// The longest chain by work, as the set of its tasks.
function longestChain(nodes, edges) {
  const works = new Map(nodes.map(({ id, work }) => [id, work]));
  const sources = new Map(nodes.map(({ id }) => [id, []]));
  for (const [source, sink] of edges)
    if (works.has(source) && works.has(sink)) sources.get(sink).push(source);
  const best = new Map();
  const length = (id) => {
    if (!best.has(id)) {
      best.set(id, { time: works.get(id), from: null });
      for (const source of sources.get(id)) {
        const time = length(source) + works.get(id);
        if (time > best.get(id).time) best.set(id, { time, from: source });
      }
    }
    return best.get(id).time;
  };
  let last = null;
  for (const { id } of nodes) if (last === null || length(id) > length(last)) last = id;
  const chain = new Set();
  while (last !== null && !chain.has(last)) {
    chain.add(last);
    last = best.get(last).from;
  }
  return chain;
}

function graphDrawing({ nodes, edges }) {
  const { layers, before } = layered(nodes, edges);
  const chain = edges.length > 0 ? longestChain(nodes, edges) : new Set();
  const columns = [];
  for (const node of nodes) (columns[layers.get(node.id)] ||= []).push(node);
  // A task stands near the mean of those before it.
  const position = new Map();
  columns.forEach((column) => {
    const wish = ({ id }) => {
      const known = before
        .get(id)
        .map((other) => position.get(other))
        .filter((at) => at !== undefined);
      return known.length > 0 ? known.reduce((a, b) => a + b, 0) / known.length : 0;
    };
    column.sort((a, b) => wish(a) - wish(b) || a.created - b.created);
    column.forEach(({ id }, index) => position.set(id, index));
  });
  const [wide, high, gapX, gapY] = [146, 24, 46, 8];
  const tallest = Math.max(...columns.map((column) => column.length));
  const at = (id) => {
    const layer = layers.get(id);
    const shift = ((tallest - columns[layer].length) * (high + gapY)) / 2;
    return [layer * (wide + gapX), shift + position.get(id) * (high + gapY)];
  };
  const line = (from, to, kind) => {
    const [[x0, y0], [x1, y1]] = [at(from), at(to)];
    const [start, end] = [
      [x0 + wide, y0 + high / 2],
      [x1, y1 + high / 2],
    ];
    return drawn('path', {
      class: kind,
      d: `M${start} C${start[0] + gapX / 2},${start[1]} ${end[0] - gapX / 2},${end[1]} ${end}`,
    });
  };
  const parts = nodes
    .filter(({ parent }) => position.has(parent))
    .map(({ id, parent }) => line(parent, id, 'created'));
  parts.push(
    ...edges.filter(([a, b]) => position.has(a) && position.has(b)).map(([a, b]) => line(a, b, 'depends')),
  );
  nodes.forEach((node) => parts.push(graphNode(node, at(node.id), [wide, high], chain.has(node.id))));
  return drawn(
    'svg',
    {
      viewBox: `-4 -4 ${columns.length * (wide + gapX) + 8} ${tallest * (high + gapY) + 8}`,
      width: columns.length * (wide + gapX) + 8,
      height: tallest * (high + gapY) + 8,
      role: 'img',
      'aria-label':
        'tasks from left to right: solid lines are dependences, dashed lines lead from creator to created',
    },
    ...parts,
  );
}

function graphNode(node, [x, y], [wide, high], critical) {
  const name = node.name === null ? null : view.trace.names[node.name];
  const box = drawn('rect', { x, y, width: wide, height: high, rx: 5 });
  box.style.fill = 'hsl(var(--task) / 30%)';
  const place = name && name.short ? name.short : 'task';
  const text = drawn(
    'text',
    { x: x + 6, y: y + high / 2 + 4 },
    `${place.length > 12 ? `…${place.slice(-11)}` : place} ${duration(node.work)}`,
  );
  const title = drawn(
    'title',
    {},
    `task ${node.id}${name && name.place ? `, ${name.place}` : ''}: ran ${duration(node.work)}${critical ? ', on the longest chain' : ''}`,
  );
  const go = () => {
    if (node.begin === null) return;
    frame(node.begin, node.end ?? node.begin);
    byId('timeline').scrollIntoView({ block: 'start' });
  };
  return drawn('g', { class: `node${critical ? ' critical' : ''}`, onclick: go }, title, box, text);
}

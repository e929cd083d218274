// A trace's data: the JSON document, and the arrays that its second element holds.

/// Reads the trace with this index.
async function load(index) {
  const trace = JSON.parse(document.querySelectorAll('script.trace')[index].textContent);
  const bytes = await inflated(document.querySelectorAll('script.arrays')[index].textContent);
  const arrays = { bytes, at: 0 };
  const { count } = trace.cells;
  const kinds = {};
  for (const name of trace.names) {
    name.nth = kinds[name.kind] || 0;
    kinds[name.kind] = name.nth + 1;
  }
  const lanes = trace.rows.map((row) => row.cells.map((cells) => ({ cells })));
  for (const lane of lanes.flat().filter((lane) => lane.cells)) {
    lane.names = new Uint16Array(bytes.buffer.slice(arrays.at, arrays.at + 2 * count));
    arrays.at += 2 * count;
  }
  for (const lane of lanes.flat().filter((lane) => lane.cells)) {
    lane.shares = bytes.subarray(arrays.at, arrays.at + count);
    arrays.at += count;
    lane.levels = pyramid(lane.names, lane.shares);
  }
  const { activities, ns } = trace.usage;
  const buckets = Math.max(1, Math.ceil(trace.wall_ns / ns));
  trace.usage.buckets = buckets;
  trace.usage.layers = activities.map(() => {
    const end = arrays.at + 4 * buckets;
    const layer = new Float32Array(bytes.buffer.slice(arrays.at, end));
    arrays.at = end;
    return layer;
  });
  trace.rows.forEach((row, index) => {
    row.number = index;
    row.lanes = lanes[index];
    row.lanes.forEach((lane, depth) => readSlices(lane, row.slices[depth], arrays));
  });
  return trace;
}

/// The bytes of a deflated text in base 64.
async function inflated(text) {
  const packed = Uint8Array.fromBase64
    ? Uint8Array.fromBase64(text)
    : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/// Cells of twice the duration, four times, and so on. A cell takes the name of the half that is filled more.
function pyramid(names, shares) {
  const levels = [{ names, shares }];
  while (levels[levels.length - 1].names.length > 16) {
    const below = levels[levels.length - 1];
    const length = (below.names.length + 1) >> 1;
    const level = { names: new Uint16Array(length), shares: new Uint8Array(length) };
    for (let i = 0; i < length; i += 1) {
      const left = below.shares[2 * i];
      const right = below.shares[2 * i + 1] || 0;
      level.names[i] = below.names[right > left ? 2 * i + 1 : 2 * i];
      level.shares[i] = (left + right + 1) >> 1;
    }
    levels.push(level);
  }
  return levels;
}

/// Reads the next number of variable length. A number may exceed 32 bits.
function variable(arrays) {
  let value = 0;
  let factor = 1;
  for (;;) {
    const byte = arrays.bytes[arrays.at];
    arrays.at += 1;
    value += (byte & 0x7f) * factor;
    if (!(byte & 0x80)) return value;
    factor *= 128;
  }
}

function readSlices(lane, count, arrays) {
  lane.begin = new Float64Array(count);
  lane.end = new Float64Array(count);
  lane.name = new Uint16Array(count);
  let last = 0;
  for (let i = 0; i < count; i += 1) {
    lane.begin[i] = last + variable(arrays);
    last = lane.begin[i] + variable(arrays);
    lane.end[i] = last;
    lane.name[i] = variable(arrays);
  }
}

/// The index of the first slice of a lane that ends after `ns`.
function firstAfter(lane, ns) {
  let [low, high] = [0, lane.end.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.end[middle] > ns) high = middle;
    else low = middle + 1;
  }
  return low;
}

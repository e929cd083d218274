'use strict';
// Numbers as text, as the report in the terminal has them: three significant digits and a unit.

function threeDigits(value) {
  return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

function duration(ns) {
  if (ns < 1e3) return `${Math.round(ns)} ns`;
  if (ns < 1e6) return `${threeDigits(ns / 1e3)} µs`;
  if (ns < 1e9) return `${threeDigits(ns / 1e6)} ms`;
  return `${threeDigits(ns / 1e9)} s`;
}

/// A moment, with digits down to a `step` of so many nanoseconds.
function moment(ns, step) {
  if (ns === 0) return '0';
  const [unit, name] =
    step >= 1e8 || ns === 0 ? [1e9, 's'] : step >= 1e5 ? [1e6, 'ms'] : step >= 100 ? [1e3, 'µs'] : [1, 'ns'];
  const digits = Math.max(0, Math.ceil(Math.log10(unit / step)));
  return `${grouped((ns / unit).toFixed(Math.min(digits, 9)))} ${name}`;
}

function grouped(text) {
  const [whole, rest] = text.split('.');
  const spaced = whole.replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
  return rest === undefined ? spaced : `${spaced}.${rest}`;
}

function amount(bytes) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.length) {
    bytes /= 1e3;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(bytes) : threeDigits(bytes)} ${units[unit]}`;
}

const percent = (value) => `${value.toFixed(1)} %`;

/// A table's value in its column's unit.
function inUnit(value, unit) {
  switch (unit) {
    case 'ns':
      return duration(value);
    case 'count':
      return grouped(String(value));
    case 'percent':
      return value.toFixed(1);
    case 'bytes':
      return amount(value);
    case 'rate':
      return `${amount(value)}/s`;
    default:
      return String(value);
  }
}

/// A new element. `parts` are elements or texts; a text never becomes markup.
function element(tag, attributes, ...parts) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === 'class') made.className = value;
    else if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...parts.filter((part) => part !== null && part !== undefined));
  return made;
}

/// As `element`, for drawings.
function drawn(tag, attributes, ...parts) {
  const made = document.createElementNS('http' + '://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...parts);
  return made;
}

const byId = (id) => document.getElementById(id);

"use strict";
// The data of the report, and which lines of which text belong together.

const report = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

/** A number for each line of the user's files, and for each place in one. */
const lineNumbers = new Map(), placeNumbers = new Map();
const numbered = (map, key) => {
  if (!map.has(key)) map.set(key, map.size);
  return map.get(key);
};
const lineKey = (file, line) => numbered(lineNumbers, file + "\0" + line);
const placeKey = (file, line, column) => numbered(placeNumbers, file + "\0" + line + "\0" + column);

/** A text whose lines are linked: `keys` has the numbers of lines, `spots` those of places. */
class Listing {
  constructor(name, label, kind, first, text) {
    Object.assign(this, { name, label, kind, first });
    this.lines = text.split("\n");
    if (this.lines.at(-1) === "") this.lines.pop();
    this.keys = [];
    this.spots = [];
    this.index = new Map();
  }

  link(number, keys, spots) {
    this.keys[number] = keys;
    this.spots[number] = spots;
    for (const key of keys) {
      if (!this.index.has(key)) this.index.set(key, []);
      this.index.get(key).push(number);
    }
  }

  /** How many lines belong to any of these lines of the user's. */
  count(keys) {
    const found = new Set();
    for (const key of keys) for (const line of this.index.get(key) ?? []) found.add(line);
    return found.size;
  }

  /** The line to go to for these: one of the same place, or else of the same line. */
  nearest(keys, spots) {
    const all = [...keys].flatMap((key) => this.index.get(key) ?? []).sort((a, b) => a - b);
    return all.find((n) => this.spots[n].some((spot) => spots.has(spot))) ?? all[0];
  }
}

const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);

const sources = report.sources.map((source) => {
  const made = new Listing(source.file, baseName(source.file), ".py", source.first, source.text);
  made.lines.forEach((_, n) => made.link(n, [lineKey(source.file, n + source.first)], []));
  return made;
});

const stages = report.stages.filter((stage) => stage.text).map((stage) => {
  const made = new Listing(stage.name, stage.name, stage.extension, 1, stage.text);
  made.summary = stage.summary;
  const lines = stage.places.map(([file, line]) => lineKey(file, line));
  const spots = stage.places.map(([file, line, column]) => placeKey(file, line, column));
  stage.links.forEach((links, n) => {
    if (links.length) made.link(n, [...new Set(links.map((i) => lines[i]))], links.map((i) => spots[i]));
  });
  return made;
});

// a line of a source is linked if anything else comes from it
const used = new Set(stages.flatMap((stage) => [...stage.index.keys()]));
for (const source of sources) {
  source.keys = source.keys.map((keys) => keys.filter((key) => used.has(key)));
}

const units = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]];
function seconds(value) {
  if (value === null || value === undefined) return "";
  const [unit, name] = units.find(([least]) => value >= least) ?? units.at(-1);
  return (value / unit).toPrecision(3) + " " + name;
}

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (c) => escapes[c]);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("aria-")) made.setAttribute(name, String(value));
    else if (value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

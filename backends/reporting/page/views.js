// The views beside the code: passes, time and sizes, kernels.

const VIEWS = { code: "Code", passes: "Passes", time: "Time and sizes", kernels: "Kernels, checks, traces" };
let shown = "code";

function showView(name) {
  shown = name;
  for (const each of Object.keys(VIEWS)) {
    byId(`view-${each}`).hidden = each !== name;
    byId(`tab-${each}`).setAttribute("aria-selected", each === name);
  }
  search(byId("search").value);
}

for (const [name, label] of Object.entries(VIEWS)) {
  const tab = element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `view-${name}`, "aria-selected": name === shown }, label);
  tab.addEventListener("click", () => showView(name));
  byId("views").append(tab);
}

/** A table; of each row the cells, and what the row leads to. */
function table(headings, rows, words) {
  const cells = (tag, texts) => texts.map((text, n) => element(tag, { class: n < words ? "words" : null }, text));
  const body = rows.map(({ texts, go, label, indent }) => {
    const row = element("tr", { "data-go": Boolean(go), tabindex: go ? 0 : null, "aria-label": label }, ...cells("td", texts));
    if (indent) row.children[1].style.paddingLeft = `${indent * 1.5}em`;
    if (go) leads(row, go);
    return row;
  });
  return element("table", {}, element("thead", {}, element("tr", {}, ...cells("th", headings))), element("tbody", {}, ...body));
}

function leads(item, go) {
  item.addEventListener("click", go);
  item.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
}

const meter = (share) => element("span", { class: "meter", style: `width:${Math.max(1, Math.round(120 * share))}px` });
const shortened = (name) => name.split("{")[0];

// --- passes

const folds = [];
function diffOf(pass) {
  const lines = pass.diff.split("\n").map((line) => {
    const kind = { "+": "add", "-": "remove", "@": "at" }[line[0]];
    return element("div", { class: kind }, line);
  });
  if (pass.left_out) lines.push(element("div", { class: "at" }, `… ${pass.left_out} more lines`));
  return element("div", { class: "diff", tabindex: 0, role: "region", "aria-label": "what changed" }, ...lines);
}

function fold(pass, number) {
  const plus = pass.diff.match(/^\+/gm)?.length ?? 0, minus = pass.diff.match(/^-/gm)?.length ?? 0;
  const sizes = pass.before === pass.after ? `${pass.after} operations` : `${pass.before} → ${pass.after} op.`;
  const line = [
    element("span", { class: "dim" }, String(number + 1)),
    element("span", {}, pass.stage),
    element("span", { class: pass.changed ? "name" : "name none", title: pass.name }, shortened(pass.name)),
    element("span", { class: "dim" }, sizes),
    element("span", { class: "dim" }, seconds(pass.seconds)),
    element("span", {}, element("span", { class: "plus" }, plus ? `+${plus}` : ""), " ", element("span", { class: "minus" }, minus ? `−${minus}` : "")),
  ];
  const made = element("details", { class: "pass", id: `pass-${number}`, hidden: !pass.changed }, element("summary", {}, ...line));
  made.addEventListener("toggle", () => {
    if (!made.open || made.children.length > 1) return;
    made.append(pass.diff ? diffOf(pass) : element("p", { class: "dim" }, "it changed nothing"));
    markDiff(made);
  });
  return made;
}

function fillPasses() {
  const changed = report.passes.filter((pass) => pass.changed).length;
  const all = element("input", { type: "checkbox", id: "all-passes" });
  const unfold = element("button", { type: "button", id: "unfold" }, "unfold all"), refold = element("button", { type: "button", id: "fold" }, "fold all");
  all.addEventListener("change", () => search(byId("search").value));
  unfold.addEventListener("click", () => { for (const each of folds) each.open = !each.hidden; });
  refold.addEventListener("click", () => { for (const each of folds) each.open = false; });
  folds.push(...report.passes.map(fold));
  byId("view-passes").append(
    element("div", { class: "bar" },
      element("span", {}, `${report.passes.length} passes, ${changed} of which changed something`),
      element("label", {}, all, " all of them"), unfold, refold,
      element("span", { class: "dim" }, "values that only got other numbers do not count")),
    ...folds);
}

function goToPass(number) {
  showView("passes");
  folds[number].hidden = false;
  folds[number].open = true;
  folds[number].scrollIntoView({ block: "start" });
  folds[number].firstElementChild.focus();
}

// --- time and sizes

/** What was done, one after the other: tracing, the passes of each stage, the stages without. */
function steps() {
  const found = report.tracing === null ? [] : [{ lane: "tracing", name: "tracing", seconds: report.tracing }];
  const made = new Map(report.stages.map((stage) => [stage.name, stage]));
  report.passes.forEach((pass, number) => found.push({ lane: pass.stage, name: pass.name, seconds: pass.seconds, number }));
  for (const stage of made.values()) {
    if (stage.seconds !== null) found.push({ lane: stage.name, name: stage.summary, seconds: stage.seconds });
  }
  return found;
}

function timeLine(all) {
  const total = all.reduce((sum, step) => sum + step.seconds, 0) || 1, lanes = new Map();
  let at = 0;
  for (const step of all) {
    if (!lanes.has(step.lane)) lanes.set(step.lane, []);
    lanes.get(step.lane).push({ ...step, start: at });
    at += step.seconds;
  }
  const rows = [...lanes].map(([lane, own], n) => {
    const blocks = own.map((step) => {
      const title = `${shortened(step.name)}: ${seconds(step.seconds)}`;
      const block = element("button", { type: "button", tabindex: -1, title, "aria-label": title, style: `left:${(100 * step.start) / total}%;width:${(100 * step.seconds) / total}%;--hue:${(n * 47 + 210) % 360}` });
      if (step.number !== undefined) block.addEventListener("click", () => goToPass(step.number));
      return block;
    });
    return element("div", { class: "lane" }, element("span", { class: "label" }, lane), element("div", { class: "track" }, ...blocks));
  });
  return [
    element("div", { class: "timeline", role: "img", "aria-label": "time line of the compilation; the tables below say the same" }, ...rows),
    element("div", { class: "axis" }, element("span", {}, "0"), element("span", {}, seconds(total / 2)), element("span", {}, seconds(total))),
  ];
}

function sizesTable(all) {
  const sums = new Map();
  for (const step of all) sums.set(step.lane, (sums.get(step.lane) ?? 0) + step.seconds);
  const most = Math.max(1, ...report.stages.map((stage) => stage.size ?? 0));
  const rows = report.stages.filter((stage) => stage.text || sums.has(stage.name)).map((stage) => {
    const passes = report.passes.filter((pass) => pass.stage === stage.name).length;
    const lines = stage.text ? stage.text.trimEnd().split("\n").length : 0;
    const size = stage.size === null ? "" : element("span", {}, meter(stage.size / most), ` ${stage.size.toLocaleString("en")}`);
    return { texts: [stage.name, stage.summary, passes ? String(passes) : "", seconds(sums.get(stage.name)), lines ? lines.toLocaleString("en") : "", size] };
  });
  return table(["stage", "what it is", "passes", "time", "lines", "operations"], rows, 2);
}

function fillTime() {
  const all = steps(), total = all.reduce((sum, step) => sum + step.seconds, 0);
  const slowest = [...all].sort((a, b) => b.seconds - a.seconds).map((step) => ({
    texts: [step.lane, shortened(step.name), seconds(step.seconds), element("span", {}, meter(step.seconds / (total || 1)), ` ${((100 * step.seconds) / (total || 1)).toFixed(1)} %`)],
    go: step.number === undefined ? null : () => goToPass(step.number),
  }));
  byId("view-time").append(
    element("h2", {}, `Time line: ${seconds(total)}`), ...timeLine(all),
    element("h2", {}, "Stages"), sizesTable(all),
    element("h2", {}, "Steps, the slowest first"), table(["stage", "step", "time", "of all"], slowest, 2));
}

// --- kernels, checks, traces

function kernelsTable(kernels) {
  const time = kernels.headings.indexOf("time"), roof = kernels.headings.indexOf("of roofline");
  const most = Math.max(...kernels.rows.map((row) => row.seconds ?? 0));
  const rows = kernels.rows.map((row) => {
    const texts = [...row.cells];
    if (time >= 0 && row.seconds) texts[time] = element("span", {}, meter(row.seconds / most / 2), ` ${texts[time]}`);
    if (roof >= 0 && row.roofline) texts[roof] = element("span", {}, meter(Math.min(1, row.roofline) / 2), ` ${texts[roof]}`);
    return { texts, indent: row.depth, go: row.places.length ? () => goTo(row.places) : null, label: row.cells.join(" ") };
  });
  return table(kernels.headings, rows, 2);
}

function remark(each) {
  const lines = [...new Set(each.places.map((place) => place[1]))].sort((a, b) => a - b);
  const item = element("li", { "data-go": lines.length > 0, tabindex: lines.length ? 0 : null }, (lines.length ? `line ${lines.join(", ")}: ` : "") + each.text);
  if (lines.length) leads(item, () => goTo(each.places));
  return item;
}

function fillKernels() {
  const view = byId("view-kernels"), kernels = report.kernels;
  if (kernels) {
    view.append(element("h2", {}, kernels.title));
    view.append(kernels.rows.length ? kernelsTable(kernels) : element("p", { class: "dim" }, "no loops, and no operations on arrays"));
    for (const { title, remarks } of kernels.sections) {
      view.append(element("h2", {}, title[0].toUpperCase() + title.slice(1)));
      view.append(remarks.length ? element("ul", { class: "remarks" }, ...remarks.map(remark)) : element("p", { class: "dim" }, "none"));
    }
  } else {
    view.append(element("p", { class: "dim" }, "There is nothing to say of kernels: the program was not compiled."));
  }
  if (report.traces.length) {
    view.append(element("h2", {}, "Traces, and why"), element("pre", { class: "traces" }, report.traces.join("\n")));
  }
}

fillPasses();
fillTime();
fillKernels();

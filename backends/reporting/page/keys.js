// The head of the page, and the keyboard.

byId("title").textContent = report.name;
byId("about").textContent = [report.arguments.join(", "), `agir ${report.version}`].filter(Boolean).join(" · ");
byId("about").title = byId("about").textContent;
if (report.error) {
  byId("error").textContent = report.error;
  byId("error").hidden = false;
}

function toggleTheme() {
  const dark = getComputedStyle(document.documentElement).getPropertyValue("color-scheme").includes("light dark")
    ? matchMedia("(prefers-color-scheme: dark)").matches
    : document.documentElement.dataset.theme === "dark";
  document.documentElement.dataset.theme = dark ? "light" : "dark";
}
byId("theme").addEventListener("click", toggleTheme);
byId("help-button").addEventListener("click", () => byId("help").showModal());

const focused = () => panes.find((pane) => pane.code.contains(document.activeElement));
const active = () => focused() ?? panes.find((pane) => pane.listing);
const move = (by) => { const pane = active(); if (pane) { pane.code.focus({ preventScroll: true }); pane.moveTo((pane.current ?? -1) + by); } };
function changePane(by) {
  const there = panes.filter((pane) => pane.listing);
  const at = focused() ? there.indexOf(focused()) + by : 0;
  there[Math.min(Math.max(at, 0), there.length - 1)]?.code.focus({ preventScroll: true });
}
function changeView(by) {
  const names = Object.keys(VIEWS);
  showView(names[(names.indexOf(shown) + by + names.length) % names.length]);
}
function chooseStage(number) {
  showView("code");
  (panes.indexOf(focused()) === 2 ? panes[2] : panes[1]).show(number);
}

const KEYS = [
  [["j", "ArrowDown"], "the next line", () => move(1)],
  [["k", "ArrowUp"], "the line before", () => move(-1)],
  [["PageDown"], "20 lines on", () => move(20)],
  [["PageUp"], "20 lines back", () => move(-20)],
  [["h", "ArrowLeft"], "the pane to the left", () => changePane(-1)],
  [["l", "ArrowRight"], "the pane to the right", () => changePane(1)],
  [["Enter"], "pin the line, and scroll to what belongs to it", () => active()?.pin(active().current ?? -1)],
  [["Escape"], "let go of it", unpin],
  [["/"], "search in the view that is shown", () => { byId("search").focus(); byId("search").select(); }],
  [["n"], "the next that was found", () => step(1)],
  [["N"], "the one before", () => step(-1)],
  [["["], "the view before", () => changeView(-1)],
  [["]"], "the next view", () => changeView(1)],
  [["t"], "light or dark", toggleTheme],
  [["?"], "these keys", () => byId("help").showModal()],
];
const ARROWS = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };
for (const [names, what] of KEYS) {
  byId("keys").append(element("dt", {}, names.map((name) => ARROWS[name] ?? name).join("  ")), element("dd", {}, what));
}
byId("keys").append(element("dt", {}, "1 … 9"), element("dd", {}, "a stage, in the middle pane or in the right one if that has the focus"));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const inCode = shown === "code";
  if (/^[1-9]$/.test(event.key)) {
    chooseStage(Number(event.key) - 1);
    event.preventDefault();
    return;
  }
  const [names, , act] = KEYS.find(([each]) => each.includes(event.key)) ?? [];
  if (!act) return;
  const moves = /^(Arrow|Page|Enter|[hjkl]$)/.test(event.key);
  if (moves && (!inCode || event.target.closest?.("button, input, summary"))) return;
  act();
  event.preventDefault();
});

addEventListener("beforeprint", () => {
  for (const pane of panes) for (const chunk of pane.code.querySelectorAll(".chunk")) pane.paint(chunk);
});

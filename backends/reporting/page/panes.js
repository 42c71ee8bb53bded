// The panes with code: a source, and two stages beside it.

const CHUNK = 250, LINE = 18;

const TOKENS = {
  ".py": /(?<r>#.*)|(?<n>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b\d[\w.]*)|(?<w>\b(?:def|class|return|if|elif|else|for|while|in|not|and|or|is|import|from|as|with|try|except|finally|raise|break|continue|pass|lambda|yield|global|nonlocal|assert|del|None|True|False|match|case)\b)|(?<v>@[\w.]+)/g,
  ".mlir": /(?<r>\/\/.*)|(?<n>"(?:[^"\\]|\\.)*"|(?<![\w%#])-?\d[\w.+]*)|(?<w>\b[a-z_]\w*\.[\w.]+\b|\b(?:module|return|else|do)\b)|(?<v>[%@^][\w.$-]+)/g,
  ".ll": /(?<r>;.*)|(?<n>"(?:[^"\\]|\\.)*"|(?<![\w%@.])-?\d[\w.+]*)|(?<w>\b(?:define|declare|call|ret|br|load|store|phi|getelementptr|icmp|fcmp|select|switch|alloca|attributes)\b)|(?<v>[%@][\w.$-]+)/g,
  ".s": /(?<r>#.*)|(?<n>(?<![\w.])(?:0x[\da-f]+|\d+)\b)|(?<w>^\s+[a-z][\w.]*)|(?<v>^[\w.$]+:|\b(?:[xyz]mm\d+|r\d+[dwb]?|[re]?[abcd]x|[re]?[sd]i|[re]?[sb]p|k[0-7])\b)/g,
};

function painted(text, kind) {
  const pattern = TOKENS[kind];
  if (!pattern) return escaped(text);
  let html = "", last = 0;
  for (const match of text.matchAll(pattern)) {
    const name = Object.keys(match.groups).find((each) => match.groups[each] !== undefined);
    html += escaped(text.slice(last, match.index)) + `<span class="${name}">${escaped(match[0])}</span>`;
    last = match.index + match[0].length;
  }
  return html + escaped(text.slice(last));
}

/** Rules that mark all lines of some keys at once, however many they are. */
class Marks {
  constructor(colour) {
    this.colour = colour;
    this.sheet = document.head.appendChild(element("style"));
    this.keys = new Set();
    this.spots = new Set();
  }

  set(keys, spots) {
    this.keys = new Set(keys);
    this.spots = new Set(spots);
    const lines = [...this.keys].map((key) => `.k${key}`), places = [...this.spots].map((spot) => `.s${spot}`);
    this.sheet.textContent =
      (lines.length ? `${lines}{background:var(${this.colour})}` : "") +
      (places.length ? `${places}{text-decoration:underline;text-decoration-color:var(--accent);text-underline-offset:3px}` : "");
    for (const pane of panes) pane.showCounts(marks.hot.keys.size ? marks.hot.keys : marks.pin.keys);
  }
}

class Pane {
  constructor(id, label, listings, chosen) {
    this.id = id;
    this.listings = listings;
    this.tabs = element("div", { class: "tabs", role: "tablist", "aria-label": label });
    this.code = element("div", { class: "code", id, role: "listbox", tabindex: 0, "aria-label": label });
    this.box = element("section", { class: "pane", "aria-label": label }, this.tabs, this.code);
    listings.forEach((listing, n) => {
      const tab = element("button", { type: "button", role: "tab", "aria-controls": id, title: listing.summary ?? listing.name }, listing.label, element("b"));
      tab.addEventListener("click", () => this.show(n));
      this.tabs.append(tab);
    });
    this.painter = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) this.paint(entry.target);
    }, { root: this.code, rootMargin: "400px" });
    this.code.addEventListener("mouseover", (event) => this.over(this.numberOf(event.target)));
    this.code.addEventListener("mouseleave", () => marks.hot.set([], []));
    this.code.addEventListener("click", (event) => this.pin(this.numberOf(event.target)));
    this.chosen = -1;
    if (listings.length) this.show(Math.max(0, chosen));
  }

  get listing() { return this.listings[this.chosen]; }

  show(number) {
    if (number === this.chosen || !this.listings[number]) return;
    this.chosen = number;
    [...this.tabs.children].forEach((tab, n) => tab.setAttribute("aria-selected", n === number));
    const { lines, keys, spots, first } = this.listing, parts = [];
    const widest = lines.reduce((most, line) => Math.max(most, line.length), 0);
    for (let start = 0; start < lines.length; start += CHUNK) {
      const end = Math.min(start + CHUNK, lines.length);
      parts.push(`<div class="chunk" role="presentation" data-start="${start}" style="contain-intrinsic-size:auto ${(end - start) * LINE}px">`);
      for (let n = start; n < end; n++) {
        const own = keys[n] ?? [], at = spots[n] ?? [];
        const names = own.map((key) => ` k${key}`).join("") + at.map((spot) => ` s${spot}`).join("");
        parts.push(`<div class="l${names}" role="option" id="${this.id}-${n}" data-n="${n + first}"${own.length ? ` data-k style="--c:var(--c${own[0] % HUES})"` : ""}>${escaped(lines[n])}</div>`);
      }
      parts.push("</div>");
    }
    const inside = element("div", { class: "lines", role: "presentation", style: `width:${widest + 8}ch` });
    inside.innerHTML = parts.join("");
    this.painter.disconnect();
    this.code.replaceChildren(inside);
    this.code.setAttribute("aria-label", this.listing.summary ?? this.listing.name);
    this.code.scrollTop = this.code.scrollLeft = 0;
    this.code.removeAttribute("aria-activedescendant");
    this.current = null;
    for (const chunk of inside.children) this.painter.observe(chunk);
    if (marks.pin.keys.size) this.follow(marks.pin.keys, marks.pin.spots);
    showFound();
  }

  paint(chunk) {
    this.painter.unobserve(chunk);
    const start = Number(chunk.dataset.start);
    [...chunk.children].forEach((line, n) => { line.innerHTML = painted(this.listing.lines[start + n], this.listing.kind); });
  }

  numberOf(target) {
    const line = target.closest?.(".l");
    return line ? Number(line.id.slice(this.id.length + 1)) : -1;
  }

  line(number) { return byId(`${this.id}-${number}`); }

  over(number) {
    if (number < 0 || number === this.last) return;
    this.last = number;
    marks.hot.set(this.listing.keys[number] ?? [], this.listing.spots[number] ?? []);
  }

  pin(number) {
    if (number < 0) return;
    this.moveTo(number, false);
    const keys = this.listing.keys[number] ?? [], spots = this.listing.spots[number] ?? [];
    marks.pin.set(keys, spots);
    for (const pane of panes) if (pane !== this) pane.follow(new Set(keys), new Set(spots));
  }

  follow(keys, spots) {
    const number = this.listing?.nearest(keys, spots);
    if (number !== undefined) this.reveal(number);
  }

  reveal(number) {
    this.code.scrollTop = Math.max(0, number * LINE - this.code.clientHeight / 2);
  }

  moveTo(number, scroll = true) {
    const bounded = Math.min(Math.max(number, 0), this.listing.lines.length - 1);
    if (this.current !== null) this.line(this.current)?.classList.remove("current");
    this.current = bounded;
    const line = this.line(bounded);
    line.classList.add("current");
    this.code.setAttribute("aria-activedescendant", line.id);
    const top = bounded * LINE;
    if (scroll && (top < this.code.scrollTop || top + 2 * LINE > this.code.scrollTop + this.code.clientHeight)) {
      this.reveal(bounded);
    }
    if (scroll) this.over(bounded);
  }

  /** Says at the name of each stage how many of its lines belong to the marked ones. */
  showCounts(keys) {
    this.listings.forEach((listing, n) => {
      const count = keys.size ? listing.count(keys) : 0;
      this.tabs.children[n].querySelector("b").textContent = count || "";
    });
  }
}

const HUES = 12;
document.head.append(element("style", {}, `:root{${Array.from({ length: HUES }, (_, n) => `--c${n}:hsl(${(n * 137) % 360} 65% 55%)`).join(";")}}`));

const panes = [];
const marks = { hot: new Marks("--hot"), pin: new Marks("--pin") };
document.head.append(marks.hot.sheet);

const named = (name) => stages.findIndex((stage) => stage.name === name);
const middle = Math.max(named("optimized_hlo"), named("hlo"), 0);
const last = stages.length - 1;
panes.push(new Pane("source", "Python", sources, 0));
panes.push(new Pane("left", "a stage", stages, Math.min(middle, last)));
if (last > 0) panes.push(new Pane("right", "another stage", stages, last));
byId("view-code").append(...panes.map((pane) => pane.box));

function unpin() {
  marks.pin.set([], []);
  marks.hot.set([], []);
}

/** Shows the code of some of the user's lines, from another view. */
function goTo(places) {
  showView("code");
  const keys = new Set(places.map(([file, line]) => lineKey(file, line)));
  const spots = new Set(places.map(([file, line, column]) => placeKey(file, line, column)));
  const file = sources.findIndex((source) => places.some(([name]) => name === source.name));
  if (file >= 0) panes[0].show(file);
  marks.pin.set(keys, spots);
  for (const pane of panes) pane.follow(keys, spots);
}

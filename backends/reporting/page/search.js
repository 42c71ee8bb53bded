// Search in the view that is shown.

let query = "", matches = [], match = -1;

const has = (text) => text.toLowerCase().includes(query);

function search(text) {
  query = text.trim().toLowerCase();
  matches = [];
  match = -1;
  if (shown === "code") searchCode();
  else if (shown === "passes") searchPasses();
  else searchRows();
  byId("found").textContent = query ? `${matches.length} found` : "";
  return matches.length;
}

function searchCode() {
  if (query) {
    for (const pane of panes) {
      pane.listing?.lines.forEach((line, number) => { if (has(line)) matches.push({ pane, number, listing: pane.listing }); });
    }
  }
  showFound();
}

/** Marks what was found, in the lines that are there. */
function showFound() {
  for (const line of document.querySelectorAll(".l.found")) line.classList.remove("found");
  for (const { pane, number, listing } of matches) {
    if (pane?.listing === listing) pane.line(number)?.classList.add("found");
  }
}

function searchPasses() {
  const all = byId("all-passes").checked;
  report.passes.forEach((pass, number) => {
    const found = !query || has(`${pass.stage} ${pass.name}`) || has(pass.diff);
    folds[number].hidden = !found || (!pass.changed && !all);
    if (query && !folds[number].hidden) matches.push({ item: folds[number] });
    markDiff(folds[number]);
  });
}

function markDiff(details) {
  for (const line of details.querySelectorAll(".diff > div")) {
    line.classList.toggle("found", query !== "" && has(line.textContent));
  }
}

function searchRows() {
  for (const row of byId(`view-${shown}`).querySelectorAll("tbody tr, li")) {
    const found = query !== "" && has(row.textContent);
    row.classList.toggle("found", found);
    if (found) matches.push({ item: row });
  }
}

/** Goes to the next match, or back to the one before. */
function step(by) {
  if (!matches.length) return;
  match = (match + by + matches.length) % matches.length;
  const { pane, number, item } = matches[match];
  if (pane) {
    pane.moveTo(number);
    pane.reveal(number);
  } else {
    if (item.tagName === "DETAILS") item.open = true;
    item.scrollIntoView({ block: "center" });
  }
  byId("found").textContent = `${match + 1} of ${matches.length}`;
}

byId("search").addEventListener("input", (event) => search(event.target.value));
byId("search").addEventListener("keydown", (event) => {
  if (event.key === "Enter") { step(event.shiftKey ? -1 : 1); event.preventDefault(); }
  if (event.key === "Escape") { event.target.value = ""; search(""); event.target.blur(); }
  event.stopPropagation();
});

// Rows of tables are about a channel, a node, a message or a time: attributes of a row say so by the
// keys of the address. The cell that names it chooses it, and what is chosen marks its rows.
const linkedTables = [];
// The heads of the columns that name a message, a channel or a node, and a time.
const namingHeads = {message: ["message", "waits"], line: ["place", "channel", "to", "port"],
                     cell: ["place", "node", "to"], time: ["from"]};

const isSamePick = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/// Links the rows of `table` that are about something which the pictures show.
function linkRows(table) {
  const rows = [];
  const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent);
  for (const row of table.tBodies[0].rows) {
    const keys = Object.keys(row.dataset)
      .filter((key) => Object.prototype.hasOwnProperty.call(addressReaders, key));
    const read = keys.map((key) => [key, addressReaders[key](row.dataset[key])])
      .filter(([, change]) => typeof change !== "string");
    if (read.length === 0) continue;
    const changes = Object.assign({}, ...read.map(([, change]) => change));
    const [kind] = changes.pick ? Object.keys(changes.pick) : ["time"];
    const column = heads.findIndex((head) => namingHeads[kind].includes(head));
    const cell = row.cells[Math.max(0, column)];
    const link = document.createElement("a");
    link.href = "#" + read.map(([key]) => key + "=" + encodeURIComponent(row.dataset[key])).join("&");
    link.append(...cell.childNodes);
    cell.append(link);
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;  // another tab
      event.preventDefault();
      setView(changes);
    });
    const picks = read.map(([, change]) => change.pick).filter((pick) => pick);
    rows.push({row, link, picks, time: picks.length === 0 ? changes.time : null});
  }
  if (rows.length > 0) linkedTables.push({table, rows, shown: null});
}

/// Whether a row is about what is chosen: by a time only, if it is about nothing else.
function isChosenRow({picks, time}) {
  if (time) return view.time !== null && view.time[0] <= time[0] && time[1] <= view.time[1];
  return view.pick !== null && picks.some((pick) => isSamePick(pick, view.pick));
}

/// In `linked` the rows of what is chosen are marked, the first of them is seen, and the fold says how
/// many there are.
function markRows(linked) {
  const chosen = linked.rows.filter((one) => {
    const is_chosen = isChosenRow(one);
    one.row.classList.toggle("chosen", is_chosen);
    if (is_chosen) one.link.setAttribute("aria-current", "true");
    else one.link.removeAttribute("aria-current");
    return is_chosen;
  });
  const summary = linked.table.closest("details").querySelector("summary");
  const words = summary.querySelector("span") || add(summary, "span", "", {class: "quiet"});
  words.textContent = chosen.length === 0 || chosen[0].time ? "" : " (" + counted(chosen.length, "row") + " of what is chosen)";
  const key = chosen.length === 0 ? null : chosen[0].row;
  if (key === null || key === linked.shown || key.offsetParent === null) return;
  linked.shown = key;
  const frame = linked.table.closest(".table");
  const [top, low] = [key.offsetTop - 2 * key.offsetHeight, key.offsetTop + key.offsetHeight];
  if (top < frame.scrollTop || low > frame.scrollTop + frame.clientHeight) frame.scrollTop = top;
}

function makeLinks() {
  for (const table of document.querySelectorAll("details table")) linkRows(table);
  for (const linked of linkedTables) {
    linked.table.closest("details").addEventListener("toggle", () => markRows(linked));
    view.listeners.push(() => markRows(linked));
  }
}

// A click on the head of a column, or Enter, sorts a table by it.
function sortBy(table, column) {
  const body = table.tBodies[0];
  const head = table.tHead.rows[0].cells[column];
  const downwards = head.getAttribute("aria-sort") !== "descending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", downwards ? "descending" : "ascending");
  const words = (row) => row.cells[column].textContent;
  const amount = (row) => parseFloat(words(row));
  const compare = downwards ? d3.descending : d3.ascending;
  // What is no number among numbers comes last.
  const order = !head.classList.contains("n") ? (a, b) => compare(words(a), words(b))
    : (a, b) => isNaN(amount(a)) - isNaN(amount(b)) || compare(amount(a), amount(b)) || 0;
  for (const row of [...body.rows].sort(order)) body.appendChild(row);
}

/// Numbers, and the head above them, stand at the right.
function alignNumbers(table) {
  const isNumber = (text) => /^[-+]?[\d.]+(e[-+]?\d+)?( %)?( \(.*\))?$/.test(text);
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const cells = [...table.tBodies[0].rows].map((row) => row.cells[column]);
    const known = cells.filter((cell) => cell.textContent !== "");
    if (2 * known.filter((cell) => isNumber(cell.textContent)).length <= known.length) return;
    for (const cell of [head, ...cells]) cell.classList.add("n");
  });
}

function makeSortable(table) {
  alignNumbers(table);
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    head.tabIndex = 0;
    head.title = "sort by this column";
    head.style.cursor = "pointer";
    head.addEventListener("click", () => sortBy(table, column));
    head.addEventListener("keydown", (event) => {
      if (event.key === "Enter") sortBy(table, column);
    });
  });
}

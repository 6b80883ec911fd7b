// A click on the head of a column, or Enter, sorts a table by it.
function sortBy(table, column) {
  const body = table.tBodies[0];
  const head = table.tHead.rows[0].cells[column];
  const downwards = head.getAttribute("aria-sort") !== "descending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", downwards ? "descending" : "ascending");
  const value = (row) => {
    const cell = row.cells[column];
    return cell.className === "n" ? parseFloat(cell.textContent) : cell.textContent;
  };
  const order = downwards ? d3.descending : d3.ascending;
  for (const row of [...body.rows].sort((a, b) => order(value(a), value(b)))) body.appendChild(row);
}

function makeSortable(table) {
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

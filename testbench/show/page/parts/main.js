// Draws all that the page has a place for.
for (const table of document.querySelectorAll("table")) makeSortable(table);
for (const figure of document.querySelectorAll(".picture")) drawers[figure.id](figure);
document.documentElement.dataset.drawn = "yes";

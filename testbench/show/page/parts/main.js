// Draws all that the page has a place for.
for (const table of document.querySelectorAll("table")) makeSortable(table);
addCsvButtons();
add(document.querySelector("header"), "p", "",
    {id: "address-problems", role: "status", hidden: ""});

/// A page that has one view only: an address can name one of its sections.
function tellOfNoView() {
  const tell = () => {
    const words = location.hash.slice(1);
    tellProblems(words === "" || document.getElementById(words) ? [] :
      ["Ignored in the address: \u201c" + words + "\u201d names no section of this page."]);
  };
  window.addEventListener("hashchange", tell);
  tell();
}

function drawAll() {
  performance.mark("drawing");
  for (const figure of document.querySelectorAll(".picture")) drawers[figure.id](figure);
  if (data.trial) {
    makeSelection();
    makeLinks();
    markNamesOfPage();
    followAddress();
  }
  if (["whatif", "diff"].includes(data.kind)) tellOfNoView();
  if (data.kind === "run") {
    addCopyButton(document.getElementById("origin"), "copy the command line",
                  () => document.getElementById("command").textContent);
    const whatif = document.getElementById("whatif");
    if (whatif) addCopyButton(document.getElementById("helps"), "copy", () => whatif.textContent);
    if (data.trial) addTraceButtons(document.getElementById("origin"));
  }
  document.documentElement.dataset.drawn = "yes";
}

// The words are on the screen before the pictures are drawn.
requestAnimationFrame(() => setTimeout(drawAll));

// Pictures as they shall be on paper, and the buttons that save them and the tables.
/// A button above a table that saves it; tables in folds have theirs.
function addCsv(table) {
  if (table.closest(".fold")) return;
  const bar = document.createElement("div");
  bar.className = "controls take";
  const frame = table.closest(".table") || table;
  frame.parentNode.insertBefore(bar, frame);
  addButton(bar, "CSV", () => saveFile(fileName(table.id, "csv"), "text/csv", [tableAsCsv(table)]),
            "save the table " + table.id + " as CSV");
}

/// The text of an SVG file with this picture. It says which command made it, and what is shown.
function svgText(svg, words) {
  const copy = svg.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "system-ui, 'DejaVu Sans', sans-serif");
  copy.removeAttribute("style");
  if (copy.querySelector("[fill^='url(']")) {
    copy.insertBefore(document.getElementById("looks").cloneNode(true), copy.firstChild);
  }
  const told = document.createElementNS("http://www.w3.org/2000/svg", "desc");
  told.textContent = document.getElementById("command").textContent + "\n" + words;
  copy.insertBefore(told, copy.firstChild);
  return new XMLSerializer().serializeToString(copy);
}

/// Calls `take` with the picture as a PNG of twice its size.
function drawPng(text, width, height, take) {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(take);
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}

/// Buttons that save a picture. `draw` returns it as it shall be on paper, an SVG element, and
/// `words` say what it shows.
function addTakeAlong(parent, name, draw, words) {
  const svg = () => {
    const drawn = draw();
    return {drawn, text: svgText(drawn, words())};
  };
  addButton(parent, "SVG", () => {
    saveFile(fileName(name, "svg"), "image/svg+xml", [svg().text]);
  }, "save the picture as SVG");
  addButton(parent, "PNG", () => {
    const {drawn, text} = svg();
    drawPng(text, +drawn.getAttribute("width"), +drawn.getAttribute("height"),
            (blob) => saveFile(fileName(name, "png"), "image/png", [blob]));
  }, "save the picture as PNG");
}

/// The colours of the page, or those of paper.
function inkOf(isPaper) {
  if (isPaper) {
    return {ground: "#ffffff", text: "#1b1f24", quiet: "#57606a", line: "#d0d7de", dark: false};
  }
  const ground = colour("ground");
  return {ground, text: colour("text"), quiet: colour("quiet"), line: colour("line"),
          dark: d3.hcl(ground).l < 50};
}

/// An SVG element that is in no document yet.
function newPicture(width, height, label, ink) {
  const svg = d3.create("svg").attr("viewBox", [0, 0, width, height]).attr("width", width)
    .attr("height", height).attr("role", "img").attr("aria-label", label)
    .style("max-width", "100%");
  svg.append("rect").attr("width", width).attr("height", height).attr("fill", ink.ground);
  return svg;
}

/// Text in a picture, which looks the same in a file.
function addWords(parent, words, x, y, ink, {anchor = "start", size = 12, isQuiet = false} = {}) {
  return parent.append("text").attr("x", x).attr("y", y).attr("text-anchor", anchor)
    .attr("font-size", size).attr("fill", isQuiet ? ink.quiet : ink.text)
    .style("font-size", size + "px").style("fill", isQuiet ? ink.quiet : ink.text).text(words);
}

// Pictures and tables to take along: SVG, PNG and CSV files, made here and sent nowhere.
function saveFile(name, kind, parts) {
  const address = URL.createObjectURL(new Blob(parts, {type: kind}));
  const link = add(document.body, "a", "", {href: address, download: name});
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function fileName(what, ending) {
  return document.title.replace(/[^A-Za-z0-9.]+/g, "-") + "-" + what + "." + ending;
}

/// An SVG as a file that needs nothing of the page.
function wholeSvg(svg) {
  const copy = svg.cloneNode(true);
  const box = svg.viewBox.baseVal;
  const scale = box.width < 100 ? 1200 / box.width : 1;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", box.width * scale);
  copy.setAttribute("height", box.height * scale);
  const looks = document.getElementById("looks");
  if (looks) copy.insertBefore(looks.cloneNode(true), copy.firstChild);
  const names = ["ground", "text", "quiet", "line", "soft", "accent", "lit", "used", "waiting"];
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = "svg{background:" + colour("ground") + ";font-family:sans-serif;" +
    names.map((name) => "--" + name + ":" + colour(name)).join(";") + "}" +
    "text{fill:var(--text);font-size:12px}.quiet,.axis text{fill:var(--quiet)}" +
    ".axis line{stroke:var(--line)}.half{stroke:var(--quiet);stroke-width:.02}" +
    ".window{fill:var(--soft);stroke:var(--accent)}.fabric path{fill:none}";
  copy.insertBefore(style, copy.firstChild);
  return new XMLSerializer().serializeToString(copy);
}

function savePng(svg, name) {
  const text = wholeSvg(svg);
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => saveFile(name, "image/png", [blob]));
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}

/// Buttons that save a picture: `picture()` is an SVG.
function addExport(controls, picture, what) {
  addButton(controls, "SVG", () => saveFile(fileName(what, "svg"), "image/svg+xml",
                                           [wholeSvg(picture())]), "save the picture as SVG");
  addButton(controls, "PNG", () => savePng(picture(), fileName(what, "png")),
            "save the picture as PNG");
}

function addCanvasExport(controls, canvas, what) {
  addButton(controls, "PNG", () => canvas.toBlob((blob) =>
    saveFile(fileName(what, "png"), "image/png", [blob])), "save the picture as PNG");
}

function tableAsCsv(table) {
  const cell = (text) => /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  return [...table.rows].map((row) => [...row.cells].map((one) => cell(one.textContent)).join(","))
    .join("\n") + "\n";
}

/// A button below each table in a fold.
function addCsvButtons() {
  for (const table of document.querySelectorAll(".fold table")) {
    const controls = document.createElement("div");
    controls.className = "controls";
    table.parentNode.parentNode.insertBefore(controls, table.parentNode);
    addButton(controls, "CSV", () => saveFile(fileName(table.id, "csv"), "text/csv",
                                             [tableAsCsv(table)]), "save the table as CSV");
  }
}

function addCopyButton(parent, words, text) {
  const button = addButton(parent, words, () => {
    const done = () => { button.textContent = words + ": done"; };
    if (navigator.clipboard) {
      navigator.clipboard.writeText(text()).then(done, () => {});
    }
  });
}

// What is taken along: pictures as SVG and PNG, tables as CSV, made here and sent nowhere.
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

/// A picture as an SVG that needs nothing of the page. It says which command made it, and what is
/// shown.
function alone(svg, words) {
  const copy = svg.cloneNode(true);
  const box = svg.viewBox.baseVal;
  const scale = box.width < 100 ? 1200 / box.width : 1;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", box.width * scale);
  copy.setAttribute("height", box.height * scale);
  copy.removeAttribute("style");
  const looks = document.getElementById("looks");
  if (looks) copy.insertBefore(looks.cloneNode(true), copy.firstChild);
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = "svg{background:var(--ground);font-family:system-ui,'DejaVu Sans',sans-serif}" +
    "text{fill:var(--text);font-size:12px}.quiet,.axis text{fill:var(--quiet)}" +
    ".axis line{stroke:var(--line)}.half{stroke:var(--quiet);stroke-width:.02}" +
    ".window{fill:var(--soft);stroke:var(--accent)}.fabric path{fill:none}.fabric .arrows{fill:var(--ground);stroke:var(--text);stroke-width:.012}" +
    ".halo{paint-order:stroke;stroke:var(--ground);stroke-width:3px}.queue{stroke:var(--ground);stroke-width:.015}";
  copy.insertBefore(style, copy.firstChild);
  const told = document.createElementNS("http://www.w3.org/2000/svg", "desc");
  told.textContent = document.getElementById("command").textContent + "\n" + words;
  copy.insertBefore(told, copy.firstChild);
  return {width: box.width * scale, height: box.height * scale,
          text: new XMLSerializer().serializeToString(copy)
            .replace(/var\(--([a-z]+)\)/g, (_, name) => colour(name))};
}

function savePng(svg, words, name) {
  const {width, height, text} = alone(svg, words);
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => saveFile(name, "image/png", [blob]));
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}

/// Buttons that save a picture. `draw` returns it as it shall be saved, an SVG element, and `words`
/// say what it shows.
function addTakeAlong(parent, name, draw, words = () => "") {
  addButton(parent, "SVG", () => saveFile(fileName(name, "svg"), "image/svg+xml",
                                         [alone(draw(), words()).text]), "save the picture as SVG");
  addButton(parent, "PNG", () => savePng(draw(), words(), fileName(name, "png")),
            "save the picture as PNG");
}

function addCanvasTakeAlong(parent, canvas, name) {
  addButton(parent, "PNG", () => canvas.toBlob((blob) =>
    saveFile(fileName(name, "png"), "image/png", [blob])), "save the picture as PNG");
}

function tableAsCsv(table) {
  const cell = (text) => /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  return [...table.rows].map((row) => [...row.cells].map((one) => cell(one.textContent)).join(","))
    .join("\n") + "\n";
}

/// A button above each table that saves it.
function addCsvButtons() {
  for (const table of document.querySelectorAll("main table")) {
    const frame = table.closest(".table") || table;
    const bar = document.createElement("div");
    bar.className = "controls take";
    frame.parentNode.insertBefore(bar, frame);
    addButton(bar, "CSV", () => saveFile(fileName(table.id, "csv"), "text/csv", [tableAsCsv(table)]),
              "save the table " + table.id + " as CSV");
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

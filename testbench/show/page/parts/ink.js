// The colours of pictures, on the screen and as they shall be on paper.
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

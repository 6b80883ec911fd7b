// Each cause has a colour, and a pattern by which it is known without colours.
const causeLooks = {
  tr: ["#6b7785", ""], ts: ["#9aa5b1", ""], hop: ["#4e79a7", ""], length: ["#86bcb6", ""],
  port: ["#e15759", "M0,8L8,0"], processor: ["#b07aa1", "M0,0L8,8"],
  jitter: ["#d4a6c8", "M4,3V5"], replication: ["#9d7660", "M1,1H3M5,5H7"],
  behind: ["#f28e2b", "M0,4H8"], channel: ["#edc948", "M4,0V8"],
  credit: ["#b6992d", "M0,0L8,8M0,8L8,0"], turnaround: ["#d7b5a6", "M1,4H4M5,0H8"],
  mode: ["#8cd17d", "M0,4H8M4,0V8"], switch: ["#59a14f", "M0,2H8M0,6H8"],
  ack: ["#a0cbe8", "M2,0V8M6,0V8"], branch: ["#ff9da7", "M2,6L6,2"],
  combine: ["#79706e", "M1,3H3M5,7H7"], join: ["#d37295", "M0,8L4,4L8,8M4,4V0"],
  width: ["#4f8c86", ""], order: ["#bab0ac", "M0,6H4M4,2H8"],
  reception: ["#9c755f", "M2,2H6V6H2Z"], pipeline: ["#7e6ba8", ""],
  retry: ["#3d5a80", "M1,5L4,2L7,5"],
};
/// What a channel does, in the order of the numbers of a stretch.
const useLooks = {
  used: ["#4e79a7", ""], lost: ["#59a14f", "M0,2H8M0,6H8"],
  "no credit": ["#b6992d", "M0,0L8,8M0,8L8,0"], empty: ["#d4a6c8", "M4,0V8"],
};
const dashes = {channel: ".12 .06", behind: ".04 .05", credit: ".2 .05 .04 .05", switch: ".07 .07",
                port: ".3 .06", branch: ".04 .1", join: ".16 .05 .04 .05"};

const patternOf = (() => {
  const looks = {...causeLooks, ...useLooks};
  const id = (name) => "look-" + name.replace(" ", "-");
  const defs = d3.select(document.body).append("svg").attr("width", 0).attr("height", 0)
    .attr("aria-hidden", "true").style("position", "absolute").append("defs").attr("id", "looks");
  for (const [name, [colour, mark]] of Object.entries(looks)) {
    const pattern = defs.append("pattern").attr("id", id(name)).attr("width", 8).attr("height", 8)
      .attr("patternUnits", "userSpaceOnUse");
    pattern.append("rect").attr("width", 8).attr("height", 8).attr("fill", colour);
    pattern.append("path").attr("d", mark).attr("stroke", "#000").attr("stroke-opacity", .55)
      .attr("fill", "none");
  }
  return (name) => "url(#" + id(name) + ")";
})();

/// The same for a canvas.
function canvasPatterns(context) {
  const patterns = {};
  for (const [name, [colour, mark]] of Object.entries(causeLooks)) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const pen = tile.getContext("2d");
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 8, 8);
    pen.strokeStyle = "rgba(0, 0, 0, .55)";
    pen.stroke(new Path2D(mark));
    patterns[name] = context.createPattern(tile, "repeat");
  }
  return patterns;
}

/// `amounts`: words behind each name, or none.
function addLegend(parent, names, amounts = []) {
  const legend = add(parent, "div", "", {class: "legend"});
  names.forEach((name, i) => {
    const entry = add(legend, "span");
    const svg = d3.select(entry).append("svg").attr("width", 22).attr("height", 12);
    svg.append("rect").attr("width", 22).attr("height", 12).attr("fill", patternOf(name));
    add(entry, "span", name + (amounts[i] ? ": " + amounts[i] : ""));
  });
  return legend;
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

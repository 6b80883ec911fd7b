// A fabric on a canvas: nodes in a plane, channels beside each other, worms on them.

/// Where the nodes are: [[x, y], ..] in units of a gap between two neighbours, and {width, height}.
function layOut(topology) {
  const count = nodesOf(topology);
  const places = [];
  if (topology.kind === "ring" || (topology.sides.length === 1 && topology.kind === "torus")) {
    const radius = Math.max(1.2, count / 6);
    for (let node = 0; node < count; ++node) {
      const angle = 2 * Math.PI * node / count - Math.PI / 2;
      places.push([radius + radius * Math.cos(angle), radius + radius * Math.sin(angle)]);
    }
    return {places, width: 2 * radius, height: 2 * radius};
  }
  // Every other dimension goes right, and the ones between go down; each two are nested in the next two.
  const steps = [];
  const reach = [0, 0];
  topology.sides.forEach((side, dimension) => {
    const axis = dimension % 2;
    const step = dimension < 2 ? 1 : reach[axis] + 1.6;
    steps.push([axis, step]);
    reach[axis] += (side - 1) * step;
  });
  for (let node = 0; node < count; ++node) {
    const at = [0, 0];
    let rest = node;
    topology.sides.forEach((side, dimension) => {
      const [axis, step] = steps[dimension];
      at[axis] += rest % side * step;
      rest = Math.floor(rest / side);
    });
    places.push(at);
  }
  return {places, width: reach[0], height: reach[1]};
}

/// The links [u, v], u < v.
function linksOf(topology) {
  const count = nodesOf(topology), links = [];
  const wraps = topology.kind === "torus" || topology.kind === "ring";
  for (let node = 0; node < count; ++node) {
    let stride = 1;
    for (const side of topology.sides) {
      const at = Math.floor(node / stride) % side;
      if (at + 1 < side) links.push([node, node + stride]);
      else if (wraps && side > 2) links.push([node - (side - 1) * stride, node]);
      stride *= side;
    }
  }
  return links;
}

const ringOfNodes = 8;  // colours of worms

class FabricPicture {
  constructor(canvas) {
    this.canvas = canvas;
    this.topology = null;
    this.timeline = null;
  }

  /// Shows the fabric; false: it is none that can be drawn.
  show(topology) {
    this.topology = topology && nodesOf(topology) <= 4096 ? topology : null;
    this.timeline = null;
    this.canvas.hidden = this.topology === null;
    if (this.topology === null) return false;
    this.plan = layOut(this.topology);
    this.links = linksOf(this.topology);
    this.received = [];
    this.resize();
    return true;
  }

  resize() {
    if (!this.topology) return;
    const {width, height} = this.plan;
    const wide = this.canvas.parentElement.clientWidth || 800;
    const margin = 26;
    const unit = Math.min(64, (wide - 2 * margin) / Math.max(width, 1), 560 / Math.max(height, 1));
    this.unit = Math.max(unit, 3);
    this.margin = margin;
    const scale = window.devicePixelRatio || 1;
    const [w, h] = [Math.max(wide, this.unit * width + 2 * margin), this.unit * height + 2 * margin + 8];
    this.left = (w - this.unit * width) / 2;
    this.canvas.style.width = Math.min(w, wide) + "px";
    this.canvas.style.height = h + "px";
    this.canvas.width = Math.round(w * scale);
    this.canvas.height = Math.round(h * scale);
    this.scale = scale;
    const style = getComputedStyle(this.canvas);
    this.ink = Object.fromEntries(["line", "text", "quiet", "ground", "lit", "accent", "good"].map(
      (name) => [name, style.getPropertyValue("--" + name).trim()]));
    this.worms = Array.from({length: ringOfNodes}, (_, i) => style.getPropertyValue("--worm-" + i).trim());
  }

  place(node) {
    const [x, y] = this.plan.places[node];
    return [this.left + this.unit * x, this.margin + this.unit * y];
  }

  // A channel from u to v: straight between neighbours, bent where it passes others; the two of a link
  // lie beside each other.
  trace(pen, u, v) {
    const [x, y] = this.place(u), [X, Y] = this.place(v);
    const long = Math.hypot(X - x, Y - y) || 1;
    const [dx, dy] = [(X - x) / long, (Y - y) / long];
    const beside = Math.min(3, this.unit / 9);
    const far = long / this.unit;
    const bend = far > 1.5 ? Math.min(.16 * long, 2.2 * this.unit) : 0;
    const side = u < v ? 1 : -1;  // both channels of a link bend the same way
    const off = [-dy * beside, dx * beside];
    const gap = Math.min(8, this.unit / 4);
    pen.moveTo(x + dx * gap + off[0], y + dy * gap + off[1]);
    pen.quadraticCurveTo((x + X) / 2 + off[0] + side * dy * bend, (y + Y) / 2 + off[1] - side * dx * bend,
                         X - dx * gap + off[0], Y - dy * gap + off[1]);
  }

  colourOf(message) {
    let number = 0;
    for (const letter of message) number = (31 * number + letter.charCodeAt(0)) >>> 0;
    return this.worms[number % ringOfNodes];
  }

  draw(cycle) {
    if (!this.topology) return;
    const pen = this.canvas.getContext("2d");
    pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.lineCap = "round";
    pen.strokeStyle = this.ink.line;
    pen.lineWidth = 1;
    pen.beginPath();
    for (const [u, v] of this.links) {
      this.trace(pen, u, v);
      this.trace(pen, v, u);
    }
    pen.stroke();
    const count = this.plan.places.length;
    const has = new Set(), busy = new Map();
    let held = [], waits = [];
    if (this.timeline) {
      held = thereIn(this.timeline.held, cycle);
      waits = thereIn(this.timeline.waits, cycle);
      for (const one of thereIn(this.timeline.busy, cycle)) busy.set(one.node, one.what);
      for (const [node, at] of this.timeline.received) {
        if (at > cycle) break;
        has.add(node);
      }
    }
    const stopped = new Set(waits.map((wait) => wait.message));
    for (const one of held) {
      if (one.u >= count || one.v >= count) continue;
      pen.beginPath();
      this.trace(pen, one.u, one.v);
      const waiting = stopped.has(one.message);
      pen.strokeStyle = waiting ? this.ink.lit : this.colourOf(one.message);
      pen.lineWidth = Math.max(2, Math.min(5, this.unit / 9));
      pen.setLineDash(waiting ? [4, 5] : []);
      pen.stroke();
    }
    pen.setLineDash([]);
    const radius = Math.max(1.2, Math.min(9, this.unit / 4.2));
    for (let node = 0; node < count; ++node) {
      const [x, y] = this.place(node);
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.fillStyle = has.has(node) ? this.ink.good : this.ink.ground;
      pen.strokeStyle = busy.has(node) ? this.ink.accent : this.ink.quiet;
      pen.lineWidth = busy.has(node) ? 3 : 1;
      pen.fill();
      pen.stroke();
      if (radius < 8) continue;
      pen.fillStyle = has.has(node) ? this.ink.ground : this.ink.text;
      pen.font = "10px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(node, x, y + .5);
    }
    pen.strokeStyle = this.ink.lit;
    pen.lineWidth = 3;
    for (const wait of waits) {  // a ring round the node that it cannot leave
      if (wait.u >= count) continue;
      const [x, y] = this.place(wait.u);
      pen.beginPath();
      pen.arc(x, y, radius + 4, 0, 2 * Math.PI);
      pen.stroke();
    }
  }
}

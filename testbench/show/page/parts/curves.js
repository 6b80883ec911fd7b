// The results of a sweep: any column over any key, runs that differ in their seed alone folded into
// their mean with its 95 % interval.
function meanOf(values) {
  const mean = d3.mean(values);
  if (values.length < 2) return {mean, half: 0, runs: values.length};
  const quantile = data.quantiles[Math.min(values.length - 2, data.quantiles.length - 1)];
  return {mean, half: quantile * d3.deviation(values) / Math.sqrt(values.length), runs: values.length};
}

const isNumeric = (text) => text.trim() !== "" && Number.isFinite(Number(text));

class Curves {
  constructor(figure) {
    this.hidden = new Set();
    this.log = {x: false, y: false};
    const controls = add(figure, "div", "", {class: "controls"});
    const keys = data.keys.filter((key) => key !== "seed");
    this.x = keys.includes(data.x) ? data.x : (keys[0] || data.keys[0]);
    this.y = data.columns.includes(data.y) ? data.y : data.columns[0];
    const again = () => { this.hidden.clear(); this.draw(); };
    addChoice(controls, "x", data.keys.map((key) => [key, key]), (key) => { this.x = key; again(); })
      .value = this.x;
    addChoice(controls, "y", data.columns.map((name) => [name, name]),
              (name) => { this.y = name; again(); }).value = this.y;
    addSwitch(controls, "logarithmic x", false, (is_on) => { this.log.x = is_on; this.draw(); });
    addSwitch(controls, "logarithmic y", false, (is_on) => { this.log.y = is_on; this.draw(); });
    this.place = add(figure, "div");
    this.legend = add(figure, "div", "", {class: "legend"});
    this.note = add(figure, "p", "", {"aria-live": "polite"});
    this.draw();
  }

  // Curves by the values of all keys but x and the seed: label, then points {at, mean, half, runs}.
  fold() {
    const x = data.keys.indexOf(this.x);
    const y = data.keys.length + data.columns.indexOf(this.y);
    const others = data.keys.map((key, i) => i).filter((i) => i !== x && data.keys[i] !== "seed");
    const curves = new Map();
    this.left_out = 0;
    for (const row of data.rows) {
      if (row[y] === null) {
        ++this.left_out;
        continue;
      }
      const label = others.map((i) => data.keys[i] + " " + row[i]).join(", ") || this.y;
      if (!curves.has(label)) curves.set(label, new Map());
      const points = curves.get(label);
      if (!points.has(row[x])) points.set(row[x], []);
      points.get(row[x]).push(row[y]);
    }
    return [...curves].map(([label, points], i) => ({
      label, number: i,
      points: [...points].map(([at, values]) => ({at, ...meanOf(values)})),
    }));
  }

  draw() {
    const curves = this.fold();
    const width = 1000, height = 460, left = 80, low = height - 50;
    this.place.textContent = "";
    const shown = curves.filter((curve) => !this.hidden.has(curve.label));
    const points = d3.merge(shown.map((curve) => curve.points));
    const is_numeric = curves.every((curve) => curve.points.every((point) => isNumeric(point.at)));
    const range = [left, width - 20];
    const x = this.xScale(points, is_numeric, range);
    const ys = points.map((point) => point.mean + point.half);
    const least = d3.min(points, (point) => point.mean - point.half);
    const y = this.log.y && d3.min(points, (point) => point.mean) > 0
      ? d3.scaleLog([Math.max(least, d3.min(points, (p) => p.mean) / 10), d3.max(ys)], [low, 15])
      : d3.scaleLinear([Math.min(0, least || 0), d3.max(ys) || 1], [low, 15]);
    y.nice();
    const svg = addSvg(this.place, width, height, this.y + " over " + this.x);
    svg.append("g").attr("class", "axis").attr("transform", "translate(0," + low + ")")
      .call(is_numeric ? d3.axisBottom(x).ticks(10) : d3.axisBottom(x));
    svg.append("g").attr("class", "axis").attr("transform", "translate(" + left + ",0)")
      .call(d3.axisLeft(y).ticks(8));
    svg.append("text").attr("x", width / 2).attr("y", height - 8).attr("text-anchor", "middle")
      .text(this.x);
    svg.append("text").attr("transform", "translate(16," + low / 2 + ")rotate(-90)")
      .attr("text-anchor", "middle").text(this.y);
    const at = (point) => x(is_numeric ? Number(point.at) : point.at);
    for (const curve of shown) this.drawCurve(svg, curve, at, y, is_numeric);
    this.drawLegend(curves);
    this.tell(points);
  }

  xScale(points, is_numeric, range) {
    if (!is_numeric) return d3.scalePoint([...new Set(points.map((one) => one.at))], range).padding(.3);
    const [low, high] = d3.extent(points, (point) => Number(point.at));
    if (this.log.x && low > 0) return d3.scaleLog([low, high], range);
    return low === high ? d3.scaleLinear([low - 1, high + 1], range) : d3.scaleLinear([low, high], range);
  }

  colour(curve) { return d3.schemeTableau10[curve.number % 10]; }
  dash(curve) { return ["", "7 3", "2 3", "9 3 2 3", "4 2", "12 4"][curve.number % 6]; }
  mark(curve) { return d3.symbol(d3.symbols[curve.number % 7], 46)(); }

  drawCurve(svg, curve, at, y, is_numeric) {
    const points = is_numeric
      ? [...curve.points].sort((a, b) => Number(a.at) - Number(b.at)) : curve.points;
    const group = svg.append("g").attr("class", "curve");
    const bottom = y.domain()[0];
    const band = d3.area().x(at).y0((point) => y(Math.max(bottom, point.mean - point.half)))
      .y1((point) => y(point.mean + point.half));
    group.append("path").attr("d", band(points)).attr("fill", this.colour(curve))
      .attr("fill-opacity", .2);
    group.append("path").attr("d", d3.line().x(at).y((point) => y(Math.max(bottom, point.mean)))(points))
      .attr("fill", "none").attr("stroke", this.colour(curve)).attr("stroke-width", 2)
      .attr("stroke-dasharray", this.dash(curve));
    group.selectAll(null).data(points).join("path").attr("d", this.mark(curve))
      .attr("transform", (point) => "translate(" + at(point) + "," + y(Math.max(bottom, point.mean)) + ")")
      .attr("fill", this.colour(curve)).append("title")
      .text((point) => curve.label + "\n" + this.x + " " + point.at + ": " + point.mean +
        (point.runs > 1 ? " +- " + point.half.toPrecision(3) + ", " + point.runs + " runs" : ""));
  }

  drawLegend(curves) {
    this.legend.textContent = "";
    for (const curve of curves) {
      const entry = add(this.legend, "label");
      const box = add(entry, "input", "", {type: "checkbox"});
      box.checked = !this.hidden.has(curve.label);
      box.addEventListener("change", () => {
        if (box.checked) this.hidden.delete(curve.label); else this.hidden.add(curve.label);
        this.draw();
      });
      const svg = d3.select(entry).append("svg").attr("width", 34).attr("height", 12);
      svg.append("path").attr("d", "M0,6H34").attr("stroke", this.colour(curve))
        .attr("stroke-width", 2).attr("stroke-dasharray", this.dash(curve));
      svg.append("path").attr("d", this.mark(curve)).attr("transform", "translate(17,6)")
        .attr("fill", this.colour(curve));
      add(entry, "span", curve.label);
    }
  }

  tell(points) {
    const most = d3.max(points, (point) => point.runs) || 0;
    this.note.textContent = (most > 1 ? "A band is the 95 % interval of the mean over seeds. " : "") +
      (this.left_out > 0 ? counted(this.left_out, "point") + " left out: no number here." : "");
  }
}

drawers.curves = (figure) => new Curves(figure);

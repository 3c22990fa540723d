(function () {
  const run = data;
  const sphere = document.getElementById("sphere"), plot = document.getElementById("plot");
  const play = document.getElementById("play"), slider = document.getElementById("slider");
  const output = document.getElementById("time"), paths = document.getElementById("paths");
  const grid = document.getElementById("grid"), logarithm = document.getElementById("logarithm");
  const DASHES = [[], [7, 4], [9, 3, 2, 3], [2, 3]];
  const SECONDS = 8, TRAIL = 24, STEPS = 60;
  const BALL = 520, WIDE = 640, HIGH = 500;
  const LEFT = 48, RIGHT = 12, TOP = 26, BOTTOM = 36, LEGEND = 28;
  const frames = run.times.length, tokens = run.positions[0].length / 3;
  const radius = Math.max(1, ...run.positions.map((row) => Math.max(...row.map(Math.abs)) / run.scale));
  let position = 0, playing = false, last = null, yaw = 0, pitch = 0, dragged = null, choosing = false;

  slider.max = String(frames - 1);
  logarithm.checked = run.long;

  /* A colour of the style in the present theme. */
  function colour(name) {
    document.body.style.outlineColor = `var(--${name})`;
    return getComputedStyle(document.body).outlineColor;
  }

  /* The size of a canvas in pixels of the screen, and a context in those of the page. */
  function ready(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = width + "px";
    canvas.style.aspectRatio = width + " / " + height;
    const g = canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    return g;
  }

  function point(frame, token) {
    const row = run.positions[frame];
    return [row[token] / run.scale, row[tokens + token] / run.scale, row[2 * tokens + token] / run.scale];
  }

  function between(token, where) {
    const frame = Math.min(Math.floor(where), frames - 1), next = Math.min(frame + 1, frames - 1), share = where - frame;
    const a = point(frame, token), b = point(next, token);
    return a.map((value, k) => value + share * (b[k] - value));
  }

  function turned(p) {
    const x = Math.cos(yaw) * p[0] + Math.sin(yaw) * p[2], z = Math.cos(yaw) * p[2] - Math.sin(yaw) * p[0];
    return [x, Math.cos(pitch) * p[1] - Math.sin(pitch) * z, Math.sin(pitch) * p[1] + Math.cos(pitch) * z];
  }

  /* Circles of latitude and longitude and the three axes, which turn with the tokens; the far side is fainter. */
  function drawGrid(g, at) {
    const circles = [], angles = Array.from({ length: STEPS + 1 }, (_, k) => 2 * Math.PI * k / STEPS);
    for (const degrees of [-60, -30, 0, 30, 60]) {
      const c = Math.cos(degrees * Math.PI / 180), s = Math.sin(degrees * Math.PI / 180);
      circles.push(angles.map((a) => [c * Math.sin(a), s, c * Math.cos(a)]));
    }
    for (let degrees = 0; degrees < 180; degrees += 30) {
      const c = Math.cos(degrees * Math.PI / 180), s = Math.sin(degrees * Math.PI / 180);
      circles.push(angles.map((a) => [Math.cos(a) * s, Math.sin(a), Math.cos(a) * c]));
    }
    g.strokeStyle = colour("pale");
    g.lineWidth = 0.6;
    for (const near of [false, true]) {
      g.globalAlpha = near ? 0.8 : 0.25;
      g.beginPath();
      for (const circle of circles) {
        let on = false;
        for (const p of circle.map((q) => turned(q.map((value) => value * radius)))) {
          if (p[2] >= 0 !== near) { on = false; continue; }
          if (on) g.lineTo(...at(p)); else g.moveTo(...at(p));
          on = true;
        }
      }
      g.stroke();
    }
    g.globalAlpha = 1;
    g.fillStyle = g.strokeStyle = colour("quiet");
    g.font = "12px system-ui, sans-serif";
    g.textAlign = "center";
    for (const [name, direction] of run.axes) {
      const end = turned(direction.map((value) => 1.12 * radius * value));
      g.globalAlpha = end[2] >= 0 ? 0.9 : 0.4;
      g.beginPath();
      g.moveTo(...at([0, 0, 0]));
      g.lineTo(...at(end));
      g.stroke();
      const [x, y] = at(end.map((value) => 1.05 * value));
      g.fillText(name, x, y + 4);
    }
    g.globalAlpha = 1;
  }

  function drawSphere() {
    const g = ready(sphere, BALL, BALL), half = BALL / 2, unit = 0.82 * half / radius;
    const at = (p) => [half + unit * p[0], half - unit * p[1]];
    g.clearRect(0, 0, BALL, BALL);
    const path = colour("path");
    if (grid.checked) drawGrid(g, at);
    g.strokeStyle = colour("pale");
    g.lineWidth = 1.5;
    g.beginPath();
    g.arc(half, half, unit * radius, 0, 2 * Math.PI);
    g.stroke();
    const first = Math.max(0, Math.floor(position) - TRAIL), dots = [];
    for (let token = 0; token < tokens; token += 1) {
      const p = turned(between(token, position));
      dots.push(p);
      if (!paths.checked) continue;
      g.beginPath();
      for (let frame = first; frame <= position; frame += 1) g.lineTo(...at(turned(point(frame, token))));
      g.lineTo(...at(p));
      g.globalAlpha = p[2] >= 0 ? 0.55 : 0.2;
      g.strokeStyle = path;
      g.lineWidth = 1;
      g.stroke();
    }
    dots.sort((a, b) => a[2] - b[2]);
    g.fillStyle = colour("token");
    for (const p of dots) {
      g.globalAlpha = p[2] >= 0 ? 1 : 0.35;
      g.beginPath();
      g.arc(...at(p), 3.6 + p[2] / radius, 0, 2 * Math.PI);
      g.fill();
    }
    g.globalAlpha = 1;
  }

  /* Round numbers between two ends, about as many as asked for. */
  function rounds(low, high, count) {
    const raw = (high - low) / count, power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) found.push(k * step);
    return found;
  }

  function decades(low, high) {
    const first = Math.ceil(Math.log10(low) - 1e-9), final = Math.floor(Math.log10(high) + 1e-9);
    const step = Math.max(1, Math.ceil((final - first) / 4)), found = [];
    for (let k = first; k <= final; k += step) found.push(Math.pow(10, k));
    return found;
  }

  function label(value) {
    if (value !== 0 && (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3)) return value.toExponential(0).replace("e+", "e");
    return String(Number(value.toPrecision(4)));
  }

  /* Where a time is between the left and the right end of a panel, from 0 to 1. */
  const start = run.times.find((time) => time > 0) || 1, end = run.times[frames - 1] || 1;

  function logarithmic() {
    return logarithm.checked && end > start;
  }

  function place(time) {
    if (!logarithmic()) return time / end;
    return Math.log(Math.max(time, start) / start) / Math.log(end / start);
  }

  function panels() {
    const width = WIDE / 2, height = (HIGH - LEGEND) / 2;
    return run.panels.map((panel, k) => ({ ...panel, left: (k % 2) * width, top: Math.floor(k / 2) * height, width: width, height: height }));
  }

  function drawPanel(g, panel, lines) {
    const x0 = panel.left + LEFT, x1 = panel.left + panel.width - RIGHT;
    const y0 = panel.top + panel.height - BOTTOM, y1 = panel.top + TOP;
    const values = panel.lines.flat().concat(panel.limit === null ? [] : [panel.limit]).filter((value) => value !== null);
    g.font = "12px system-ui, sans-serif";
    g.textAlign = "center";
    g.fillStyle = colour("text");
    g.fillText(panel.name, (x0 + x1) / 2, panel.top + 14);
    let low = Math.min(...values), high = Math.max(...values);
    if (values.length === 0) { low = 0; high = 1; }
    if (panel.share) { low = 0; high = 1; }
    const room = 0.04 * (high - low) || 0.5 * Math.abs(high) || 1;
    low -= room;
    high += room;
    const x = (time) => x0 + (x1 - x0) * place(time), y = (value) => y0 - (y0 - y1) * (value - low) / (high - low);
    g.strokeStyle = colour("faint");
    g.lineWidth = 1;
    g.setLineDash([]);
    const across = logarithmic() ? decades(start, end) : rounds(0, end, 4), up = rounds(low, high, 4);
    g.beginPath();
    for (const time of across) { g.moveTo(x(time), y0); g.lineTo(x(time), y1); }
    for (const value of up) { g.moveTo(x0, y(value)); g.lineTo(x1, y(value)); }
    g.stroke();
    g.fillStyle = colour("quiet");
    for (const time of across) g.fillText(label(time), x(time), y0 + 15);
    g.textAlign = "right";
    for (const value of up) g.fillText(label(value), x0 - 5, y(value) + 4);
    g.textAlign = "center";
    g.fillText("t", (x0 + x1) / 2, y0 + 29);
    g.strokeStyle = colour("text");
    g.beginPath();
    g.moveTo(x0, y1);
    g.lineTo(x0, y0);
    g.lineTo(x1, y0);
    g.stroke();
    if (panel.limit !== null) {
      g.setLineDash([1, 3]);
      g.beginPath();
      g.moveTo(x0, y(panel.limit));
      g.lineTo(x1, y(panel.limit));
      g.stroke();
    }
    panel.lines.forEach((row, h) => {
      const style = lines[h];
      g.strokeStyle = style.colour;
      g.setLineDash(style.dash);
      g.lineWidth = style.width;
      g.beginPath();
      let on = false;
      row.forEach((value, frame) => {
        if (value === null || (logarithmic() && run.times[frame] < start)) { on = false; return; }
        if (on) g.lineTo(x(run.times[frame]), y(value)); else g.moveTo(x(run.times[frame]), y(value));
        on = true;
      });
      g.stroke();
    });
    g.setLineDash([]);
    g.strokeStyle = colour("quiet");
    g.lineWidth = 1;
    g.beginPath();
    g.moveTo(x(moment()), y1);
    g.lineTo(x(moment()), y0);
    g.stroke();
  }

  function drawPlot() {
    const g = ready(plot, WIDE, HIGH);
    g.clearRect(0, 0, WIDE, HIGH);
    const lines = Array.from({ length: run.heads }, (_, h) => ({ colour: colour("head-" + (h % 6 + 1)), dash: DASHES[h % 4], width: 1.6, name: "head " + (h + 1) }));
    if (run.heads > 1) lines.push({ colour: colour("text"), dash: [], width: 2.2, name: "total" });
    for (const panel of panels()) drawPanel(g, panel, lines);
    let x = LEFT;
    g.textAlign = "left";
    g.font = "12px system-ui, sans-serif";
    for (const line of lines.slice(0, 9)) {
      g.strokeStyle = line.colour;
      g.setLineDash(line.dash);
      g.lineWidth = line.width;
      g.beginPath();
      g.moveTo(x, HIGH - 12);
      g.lineTo(x + 24, HIGH - 12);
      g.stroke();
      g.fillStyle = colour("text");
      g.fillText(line.name, x + 29, HIGH - 8);
      x += 34 + g.measureText(line.name).width + 12;
    }
    g.setLineDash([]);
  }

  function moment() {
    const frame = Math.min(Math.floor(position), frames - 1), next = Math.min(frame + 1, frames - 1);
    return run.times[frame] + (position - frame) * (run.times[next] - run.times[frame]);
  }

  /* The frame, between two of them too, at which a time is. */
  function frameAt(time) {
    const next = run.times.findIndex((other) => other >= time);
    if (next <= 0) return next === 0 ? 0 : frames - 1;
    return next - 1 + (time - run.times[next - 1]) / (run.times[next] - run.times[next - 1]);
  }

  function choose(event) {
    const box = plot.getBoundingClientRect();
    const across = (event.clientX - box.left) / box.width * WIDE % (WIDE / 2);
    const share = Math.max(0, Math.min(1, (across - LEFT) / (WIDE / 2 - LEFT - RIGHT)));
    setPlaying(false);
    position = frameAt(logarithmic() ? start * Math.pow(end / start, share) : share * end);
    show();
  }

  function show() {
    slider.value = String(Math.round(position));
    output.textContent = "t = " + moment().toPrecision(4);
    drawSphere();
    drawPlot();
  }

  function step(now) {
    if (!playing) return;
    if (last !== null) position = Math.min(frames - 1, position + (now - last) / 1000 * (frames - 1) / SECONDS);
    last = now;
    if (position >= frames - 1) setPlaying(false);
    show();
    if (playing) requestAnimationFrame(step);
  }

  function setPlaying(on) {
    if (on && position >= frames - 1) position = 0;
    playing = on;
    last = null;
    play.textContent = on ? "Pause" : "Play";
    if (on) requestAnimationFrame(step);
  }

  function turn(x, y) {
    yaw += x;
    pitch = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, pitch + y));
    show();
  }

  play.addEventListener("click", () => setPlaying(!playing));
  slider.addEventListener("input", () => { setPlaying(false); position = Number(slider.value); show(); });
  for (const box of [paths, grid, logarithm]) box.addEventListener("change", show);
  document.addEventListener("theme", show);
  sphere.addEventListener("pointerdown", (event) => { dragged = [event.clientX, event.clientY]; sphere.setPointerCapture(event.pointerId); });
  sphere.addEventListener("pointerup", () => { dragged = null; });
  sphere.addEventListener("pointermove", (event) => {
    if (dragged === null) return;
    turn((event.clientX - dragged[0]) / 150, (event.clientY - dragged[1]) / 150);
    dragged = [event.clientX, event.clientY];
  });
  plot.addEventListener("pointerdown", (event) => { choosing = true; plot.setPointerCapture(event.pointerId); choose(event); });
  plot.addEventListener("pointerup", () => { choosing = false; });
  plot.addEventListener("pointermove", (event) => { if (choosing) choose(event); });
  document.addEventListener("keydown", (event) => {
    if (event.key === " " && !["BUTTON", "INPUT", "SELECT"].includes(event.target.tagName)) {
      event.preventDefault();
      setPlaying(!playing);
    }
    const turns = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    if (event.target === sphere && event.key in turns) {
      event.preventDefault();
      turn(...turns[event.key]);
    }
  });
  show();
})();

"use strict";
(function () {
  const run = JSON.parse(document.getElementById("run").textContent);
  const sphere = document.getElementById("sphere"), plot = document.getElementById("plot");
  const play = document.getElementById("play"), slider = document.getElementById("slider");
  const output = document.getElementById("time"), paths = document.getElementById("paths");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const DASHES = [[], [7, 4], [9, 3, 2, 3], [2, 3]];
  const SECONDS = 8, TRAIL = 24;
  const frames = run.times.length, tokens = run.positions[0].length / 3;
  const radius = Math.max(1, ...run.positions.map((row) => Math.max(...row.map(Math.abs)) / run.scale));
  let position = 0, playing = false, last = null, yaw = 0, pitch = 0, dragged = null;

  slider.max = String(frames - 1);

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
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

  function drawSphere() {
    const g = sphere.getContext("2d"), half = sphere.width / 2, unit = 0.93 * half / radius;
    const at = (p) => [half + unit * p[0], half - unit * p[1]];
    g.clearRect(0, 0, sphere.width, sphere.height);
    const path = colour("path");
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

  function totals() {
    return run.times.map((_, frame) => run.energies.reduce((sum, row) => sum + row[frame], 0));
  }

  function drawPlot() {
    const g = plot.getContext("2d"), left = 62, right = 80, top = 28, bottom = 40;
    g.clearRect(0, 0, plot.width, plot.height);
    if (run.energies.length === 0) return;
    const lines = run.energies.map((row, h) => ({ row: row, colour: colour("head-" + (h % 6 + 1)), dash: DASHES[h % 4], name: "head " + (h + 1), width: 1.6 }));
    if (lines.length > 1) lines.push({ row: totals(), colour: colour("ink"), dash: [], name: "total", width: 2.2 });
    const values = lines.flatMap((line) => line.row), low = Math.min(...values), high = Math.max(...values);
    const end = run.times[frames - 1] || 1, span = high - low || 1;
    const x = (t) => left + (plot.width - left - right) * t / end;
    const y = (v) => plot.height - bottom - (plot.height - top - bottom) * (v - low) / span;
    g.font = "12px system-ui, sans-serif";
    g.fillStyle = g.strokeStyle = colour("ink");
    g.setLineDash([]);
    g.lineWidth = 1;
    g.beginPath();
    g.moveTo(left, top);
    g.lineTo(left, plot.height - bottom);
    g.lineTo(plot.width - right, plot.height - bottom);
    g.stroke();
    g.textAlign = "right";
    g.fillText(high.toPrecision(3), left - 6, y(high) + 4);
    g.fillText(low.toPrecision(3), left - 6, y(low) + 4);
    g.textAlign = "center";
    g.fillText("0", x(0), plot.height - bottom + 16);
    g.fillText(end.toPrecision(3), x(end), plot.height - bottom + 16);
    g.fillText("time", (x(0) + x(end)) / 2, plot.height - 10);
    g.fillText("energy", (x(0) + x(end)) / 2, 16);
    g.textAlign = "left";
    lines.forEach((line, number) => {
      g.strokeStyle = g.fillStyle = line.colour;
      g.setLineDash(line.dash);
      g.lineWidth = line.width;
      g.beginPath();
      line.row.forEach((value, frame) => g.lineTo(x(run.times[frame]), y(value)));
      g.stroke();
      g.beginPath();
      g.moveTo(plot.width - right + 8, top + 16 * number);
      g.lineTo(plot.width - right + 30, top + 16 * number);
      g.stroke();
      g.fillText(line.name, plot.width - right + 34, top + 16 * number + 4);
    });
    g.setLineDash([]);
    g.strokeStyle = colour("quiet");
    g.lineWidth = 1;
    g.beginPath();
    g.moveTo(x(moment()), top);
    g.lineTo(x(moment()), plot.height - bottom);
    g.stroke();
  }

  function moment() {
    const frame = Math.min(Math.floor(position), frames - 1), next = Math.min(frame + 1, frames - 1);
    return run.times[frame] + (position - frame) * (run.times[next] - run.times[frame]);
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
  paths.addEventListener("change", show);
  dark.addEventListener("change", show);
  sphere.addEventListener("pointerdown", (event) => { dragged = [event.clientX, event.clientY]; sphere.setPointerCapture(event.pointerId); });
  sphere.addEventListener("pointerup", () => { dragged = null; });
  sphere.addEventListener("pointermove", (event) => {
    if (dragged === null) return;
    turn((event.clientX - dragged[0]) / 150, (event.clientY - dragged[1]) / 150);
    dragged = [event.clientX, event.clientY];
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === " " && event.target.tagName !== "BUTTON" && event.target.tagName !== "INPUT") {
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

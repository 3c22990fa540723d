"""Train two small transformers from different seeds, align the second with the first, and print the loss along the
straight line between them: as they are, and by permutations, semi-permutations, orthogonal and invertible matrices, the
classes of Theus et al. (arXiv 2506.22712), and by the whole group that is found.

Run as: python scripts/align_trained.py [--steps N] [--width D] [--layers L]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from scipy.special import erf

import algatt
from algatt.geometry.alignment import steps
from algatt.geometry.alignment.closed_forms import assign, polar
from algatt.geometry.alignment.problem import OrbitPoint, Problem
from algatt.geometry.alignment.search import at_rest, exchanged, stepped
from algatt.geometry.equality.large.motions import MatrixSpace
from algatt.layers import GELU, Causal, Embedding, Feedforward, Heads, LearnedPosition, Residual, RMSNorm, Unembedding
from algatt.symmetry.quotients.folded import through

Arrays = dict[str, np.ndarray]

VOCABULARY, TOKENS, HEADS, EPSILON = 12, 10, 2, 1e-6


def network(width: int, layers: int) -> algatt.Network:
    """Return a transformer with causal softmax heads and perceptrons."""
    heads = Heads(HEADS, width=width // HEADS, mask=Causal())
    block = Residual(RMSNorm() >> heads) >> Residual(RMSNorm() >> Feedforward(2 * width, GELU()))
    ends = Embedding(VOCABULARY, width) >> LearnedPosition(TOKENS), RMSNorm() >> Unembedding(VOCABULARY)
    return algatt.Network(ends[0] >> layers * block >> ends[1], tokens=TOKENS)


def sequences(count: int, draw: np.random.Generator) -> np.ndarray:
    """Return sequences: each token is the sum of the one before and the one two before, modulo the vocabulary, or one
    time in ten another one.
    """
    found = np.zeros((count, TOKENS + 1), dtype=int)
    found[:, :2] = draw.integers(VOCABULARY, size=(count, 2))
    for place in range(2, TOKENS + 1):
        found[:, place] = (found[:, place - 1] + found[:, place - 2]) % VOCABULARY
        other = draw.random(count) < 0.1
        found[other, place] = draw.integers(VOCABULARY, size=other.sum())
    return found


def loss_and_gradient(w: Arrays, layers: int, tokens: np.ndarray, *, gradient: bool = True) -> tuple[float, Arrays]:
    """Return the mean cross entropy of the next token from the third on, and its gradient, by hand."""
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    tape: list = []
    X = w["embedding.E"][inputs] + w["position.P"]
    mask = np.tril(np.ones((TOKENS, TOKENS), dtype=bool))

    def norm(X: np.ndarray, name: str) -> np.ndarray:
        root = np.sqrt(np.mean(X**2, axis=-1, keepdims=True) + EPSILON)
        tape.append(("norm", name, X / root, root))
        return X / root * w[name][:, 0]

    for layer in range(1, layers + 1):
        Y = norm(X, f"{layer}.norm_1.g")
        for head in range(1, HEADS + 1):
            Q, K, V = (Y @ w[f"{layer}.heads.{kind}_{head}"].T for kind in "QKV")
            scores = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
            A = scores / scores.sum(axis=-1, keepdims=True)
            tape.append(("head", f"{layer}.heads", head, Y, Q, K, V, A))
            X = X + A @ V @ w[f"{layer}.heads.O_{head}"].T
        Y = norm(X, f"{layer}.norm_2.g")
        H = Y @ w[f"{layer}.feedforward.up"].T
        half = 0.5 * (1 + erf(H / np.sqrt(2)))
        tape.append(("perceptron", f"{layer}.feedforward", Y, H, half))
        X = X + (H * half) @ w[f"{layer}.feedforward.down"].T
    Y = norm(X, "norm.g")
    logits = Y @ w["unembedding.U"].T
    logits = logits - logits.max(axis=-1, keepdims=True)
    p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    places = np.take_along_axis(p, targets[..., None], axis=-1)[..., 0]
    loss = float(-np.log(places[:, 1:]).mean())
    if not gradient:
        return loss, {}
    g = {name: np.zeros_like(one) for name, one in w.items()}
    d = p.copy()
    np.put_along_axis(d, targets[..., None], np.take_along_axis(d, targets[..., None], -1) - 1, axis=-1)
    d[:, 0] = 0
    d /= places[:, 1:].size

    def outer(D: np.ndarray, Y: np.ndarray) -> np.ndarray:
        return D.reshape(-1, D.shape[-1]).T @ Y.reshape(-1, Y.shape[-1])

    def norm_back(d: np.ndarray) -> np.ndarray:
        _, name, unit, root = tape.pop()
        g[name][:, 0] += (d * unit).sum(axis=(0, 1))
        d = d * w[name][:, 0]
        return (d - unit * np.mean(d * unit, axis=-1, keepdims=True)) / root

    g["unembedding.U"] += outer(d, Y)
    dX = norm_back(d @ w["unembedding.U"])
    for _ in range(layers):
        _, name, Y, H, half = tape.pop()
        g[f"{name}.down"] += outer(dX, H * half)
        dH = dX @ w[f"{name}.down"] * (half + H * np.exp(-(H**2) / 2) / np.sqrt(2 * np.pi))
        g[f"{name}.up"] += outer(dH, Y)
        dX = dX + norm_back(dH @ w[f"{name}.up"])
        dY = 0.0
        for _ in range(HEADS):
            _, name, head, Y, Q, K, V, A = tape.pop()
            g[f"{name}.O_{head}"] += outer(dX, A @ V)
            dAV = dX @ w[f"{name}.O_{head}"]
            dV, dA = A.transpose(0, 2, 1) @ dAV, dAV @ V.transpose(0, 2, 1)
            dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True)) / np.sqrt(Q.shape[-1])
            for kind, D in (("Q", dS @ K), ("K", dS.transpose(0, 2, 1) @ Q), ("V", dV)):
                g[f"{name}.{kind}_{head}"] += outer(D, Y)
                dY = dY + D @ w[f"{name}.{kind}_{head}"]
        dX = dX + norm_back(dY)
    np.add.at(g["embedding.E"], inputs, dX)
    g["position.P"] += dX.sum(axis=0)
    return loss, g


def train(net: algatt.Network, layers: int, seed: int, steps: int) -> Arrays:
    """Return the tensors of a network that was trained by Adam with weight decay."""
    draw = np.random.default_rng(seed)
    shapes = algatt.coordinates(net)
    w = {
        name: np.ones(shape) if name.endswith(".g") else draw.normal(size=shape) / np.sqrt(shape[1])
        for name, shape in shapes.items()
    }
    first, second = ({name: np.zeros_like(one) for name, one in w.items()} for _ in range(2))
    for step in range(1, steps + 1):
        rate = 3e-3 * min(1.0, step / 100) * 0.5 * (1 + np.cos(np.pi * step / steps))
        _, g = loss_and_gradient(w, layers, sequences(64, draw))
        for name in w:
            first[name] = 0.9 * first[name] + 0.1 * g[name]
            second[name] = 0.98 * second[name] + 0.02 * g[name] ** 2
            size = np.sqrt(second[name] / (1 - 0.98**step)) + 1e-8
            w[name] = w[name] - rate * (first[name] / (1 - 0.9**step) / size + 0.05 * w[name])
    return w


def weights_of(net: algatt.Network, w: Arrays) -> algatt.Weights:
    """Return tensors as weights of a network."""
    return algatt.unflatten(net, algatt.Weights, np.concatenate([w[name].ravel() for name in algatt.coordinates(net)]))


def arrays_of(theta: algatt.Weights) -> Arrays:
    """Return weights as tensors by name."""
    return {name: np.array(one.raw) for name, one in theta.tensors.items()}


def line(one: Arrays, two: Arrays, layers: int, data: np.ndarray) -> list[float]:
    """Return the loss at eleven points of the straight line between two points."""
    mixed = ({name: (1 - t) * one[name] + t * two[name] for name in one} for t in np.linspace(0, 1, 11))
    return [loss_and_gradient(w, layers, data, gradient=False)[0] for w in mixed]


def nearest_of(kind: str, invertible: Callable[..., np.ndarray | None]) -> Callable[..., np.ndarray | None]:
    """Return what finds the nearest matrix of a class, in the place of the nearest of the group of a space."""

    def nearest(space: MatrixSpace, plain: steps.Rows, inverse: steps.Rows) -> np.ndarray | None:
        if kind == "invertible":
            return invertible(space, plain, inverse)
        M = plain[1] @ plain[0].T + inverse[1] @ inverse[0].T
        if kind == "orthogonal":
            return polar(M)
        order = assign(-M if kind == "permutation" else -np.abs(M))
        signs = np.ones(space.size) if kind == "permutation" else np.sign(M[np.arange(space.size), order])
        return signs[:, None] * np.eye(space.size)[order]

    return nearest


ROUNDS = 100
"""Maximum number of times that all spaces are solved for, one after the other."""


def propagated(position: OrbitPoint) -> OrbitPoint:
    """Return the point with spaces solved for one after the other, each from the tensors of which the other side is
    known, or not moved, and of all its tensors if there are none.
    """
    problem = position.problem
    units: list[steps.Unit] = [*problem.spaces, *problem.coordinates]
    sides = {
        unit: [(one.tensor, one.axis) if isinstance(unit, MatrixSpace) else one for one in unit.sides] for unit in units
    }
    while units:
        moving = {side for unit in units for side in sides[unit]}
        known = {unit: {name for name, axis in sides[unit] if (name, 1 - axis) not in moving} for unit in units}
        unit = max(units, key=lambda one: len(known[one]) / len(sides[one]))
        units.remove(unit)
        frame = problem.frame(position.theta)
        names = known[unit] or set(steps.tensors_of(unit))
        few = {name: W for name, W in frame.tensors.items() if name in names}
        sweep = steps.Sweep(problem.motions, steps.Frame(few, frame.goal, frame.weights))
        if sweep.step(unit):
            position = position.moved([through(problem.fold, sweep.change)])
    return exchanged(position)


def descended(position: OrbitPoint, kind: str) -> OrbitPoint:
    """Return the point after steps in all spaces, until the distance falls no more."""
    for _ in range(ROUNDS):
        before = position.distance
        position = exchanged(position)
        position = stepped(position) if kind == "invertible" else stepped(position, gains=False)
        if before - position.distance <= 1e-6 * before:
            break
    return position


def aligned(net: algatt.Network, one: algatt.Weights, two: algatt.Weights, kind: str) -> OrbitPoint:
    """Return the second point after matrices of a class, in closed form, from the better of two starts."""
    original = steps.nearest_matrix
    steps.nearest_matrix = nearest_of(kind, original)
    try:
        problem = Problem(net, one, True)
        start = OrbitPoint(problem, two)
        if kind in ("orthogonal", "invertible"):
            start = at_rest(start)
        return min((descended(one, kind) for one in (start, propagated(start))), key=lambda end: end.distance)
    finally:
        steps.nearest_matrix = original


def main() -> None:
    """Train, align, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=3000, help="of training")
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--layers", type=int, default=1)
    parser.add_argument("--seeds", type=int, nargs=2, default=(1, 2))
    options = parser.parse_args()
    net = network(options.width, options.layers)
    points = [weights_of(net, train(net, options.layers, seed, options.steps)) for seed in options.seeds]
    data = sequences(2000, np.random.default_rng(99))
    first, second = points
    print(f"{net.parameters} parameters, floor of the loss {floor():.4f}")
    print(f"{'':18} distance  barrier  loss along the line")
    rows = {"as they are": second}
    for kind in ("permutation", "semi-permutation", "orthogonal", "invertible"):
        rows[kind] = aligned(net, first, second, kind).theta
    rows["algatt.align"] = algatt.align(net, first, second).weights
    for name, theta in rows.items():
        losses = line(arrays_of(first), arrays_of(theta), options.layers, data)
        straight = np.linspace(losses[0], losses[-1], len(losses))
        distance = np.sqrt(
            sum(np.sum((a.raw - b.raw) ** 2) for a, b in zip(first.elements, theta.elements, strict=True))
        )
        numbers = " ".join(f"{loss:.3f}" for loss in losses)
        print(f"{name:18} {distance:8.3f} {np.max(losses - straight):8.4f}  {numbers}", flush=True)


def floor() -> float:
    """Return the least mean cross entropy: that of the source."""
    other = 0.1 / VOCABULARY
    return float(-(0.9 + other) * np.log(0.9 + other) - (VOCABULARY - 1) * other * np.log(other))


if __name__ == "__main__":
    main()

"""Moments of products of Gaussian matrices by counting: planar pairings, one by one."""

from __future__ import annotations


def planar_pairings(word, places):
    """Yield the pairings without crossings of the letters at some places, each with its own transpose, as lists of
    pairs.
    """
    if not places:
        yield []
        return
    first = places[0]
    for k in range(1, len(places), 2):
        if word[first][0] == word[places[k]][0] and word[first][1] != word[places[k]][1]:
            for inner in planar_pairings(word, places[1:k]):
                for outer in planar_pairings(word, places[k + 1 :]):
                    yield [(first, places[k]), *inner, *outer]


def planar_moment(word, sizes):
    """Return the limit of the trace of a closed word, divided by the tokens and by the rows of its first letter.

    A letter is a name and whether it is transposed; `sizes` has rows and columns of each, in units of the tokens, and
    the entries have the variance 1/l. A pairing of equal letters, one of them transposed, makes a sphere of faces; each
    face sums over a space, and each pair brings 1/l.
    """
    n = len(word)
    # index k is that between letter k - 1 and letter k
    dims = [sizes[name][1] if transposed else sizes[name][0] for name, transposed in word]
    total = 0.0
    for pairing in planar_pairings(word, list(range(n))):
        parent = list(range(n))

        def root(i, parent=parent):
            while parent[i] != i:
                i = parent[i]
            return i

        for a, b in pairing:
            parent[root(a)] = root((b + 1) % n)
            parent[root((a + 1) % n)] = root(b)
        faces = {root(i) for i in range(n)}
        value = 1.0
        for face in faces:
            value *= dims[face]
        total += value / dims[0]
    return total

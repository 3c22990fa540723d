"""The Jacobian at a point for each system, which computes it with its own arithmetic.

Except in SymPy, which differentiates, each weight is a number plus a variable, and products of two variables are zero:
the numbers before the variables are derivatives.
"""

from __future__ import annotations

from fractions import Fraction

from algatt.exports.point import PointedProgram

WHAT = "Written by algatt: the rows and columns of the Jacobian at a point, computed here."
"""What a text says that it is."""


def comments(given: PointedProgram, sign: str) -> str:
    """Return lines of comments that say what the text is."""
    lines = [given.title, WHAT]
    if given.minor:
        lines.append("The determinant of J is a minor that a certificate claims not to be zero.")
    lines += [f"w_{place} is {name}" for place, name in enumerate(given.variables, 1)]
    return "".join(f"{sign} {line}\n" for line in lines)


def plain(x: Fraction) -> str:
    """Write a fraction for Macaulay2 and Singular."""
    return f"({x})" if x < 0 or x.denominator > 1 else f"{x}"


def pythonic(x: Fraction) -> str:
    """Write a fraction for Python."""
    return f"Fraction({x.numerator}, {x.denominator})" if x.denominator > 1 else f"({x})" if x < 0 else f"{x}"


def rational(x: Fraction) -> str:
    """Write a fraction for SymPy."""
    return pythonic(x).replace("Fraction", "sympy.Rational")


def macaulay2(given: PointedProgram) -> str:
    """Macaulay2: the matrix J over QQ."""
    lines, entries = given.lines(plain, "inverse'")
    count = len(given.variables)
    weights = "".join(f"w_{k} = {plain(x)} + d_{k}\n" for k, x in enumerate(given.weights, 1))
    columns = ", ".join(f"d_{column + 1}" for column in given.columns)
    end = 'print("minor: " | toString det J)\nprint(if det J != 0 then "nonzero" else "zero")\n'
    return (
        f"{comments(given, '--')}R = QQ[d_1..d_{count}]\nA = R/(ideal vars R)^2\n"
        "inverse' = x -> (c = sub(coefficient(1_A, x), QQ); 1/c - (x - c)/c^2)\n"
        f"{weights}{''.join(f'{name} = {text}' + chr(10) for name, text in lines)}"
        f"values' = {{{', '.join(entries)}}}\ncolumns' = {{{columns}}}\n"
        "J = matrix(QQ, apply(values', v -> apply(columns', d -> sub(coefficient(d, v + 0_A), QQ))))\n"
        f"{end if given.minor else 'print toString entries J' + chr(10)}"
    )


def singular(given: PointedProgram) -> str:
    """Singular: the matrix J, of constants."""
    lines, entries = given.lines(plain, "inverse_of")
    names = f"d(1..{len(given.variables)})"
    weights = "".join(f"poly w_{k} = {plain(x)} + d({k});\n" for k, x in enumerate(given.weights, 1))
    columns = ", ".join(f"{column + 1}" for column in given.columns)
    end = 'print("minor: " + string(det(J)));\nif (det(J) != 0) { print("nonzero"); } else { print("zero"); }\n'
    return (
        f"{comments(given, '//')}ring R = 0, ({names}), ds;\n"
        "proc inverse_of(poly x) { number c = leadcoef(jet(x, 0)); return(1/c - (x - c)/c^2); }\n"
        f"{weights}{''.join(f'poly {name} = jet({text}, 1);' + chr(10) for name, text in lines)}"
        f"list entries = {', '.join(f'poly({one})' for one in entries)};\nintvec columns = {columns};\n"
        "matrix J[size(entries)][size(columns)];\nint i; int k;\n"
        "for (i = 1; i <= size(entries); i++) { for (k = 1; k <= size(columns); k++) "
        "{ J[i, k] = jet(diff(entries[i], var(columns[k])), 0); } }\n"
        f"{end if given.minor else 'print(J);' + chr(10)}"
    )


def sympy(given: PointedProgram) -> str:
    """Python with SymPy: the matrix J, by derivatives of expressions."""
    lines, entries = given.lines(rational, "1/")
    names = " ".join(f"w_{k}" for k in range(1, len(given.variables) + 1))
    point = ", ".join(f"w_{k}: {rational(x)}" for k, x in enumerate(given.weights, 1))
    columns = ", ".join(f"w_{column + 1}" for column in given.columns)
    return (
        f"{comments(given, '#')}import sympy\n\n"
        f"{names.replace(' ', ', ')}, = sympy.symbols({names!r}, seq=True)\n"
        f"{''.join(f'{name} = {text}' + chr(10) for name, text in lines)}"
        f"point = {{{point}}}\nentries = [{', '.join(entries)}]\n"
        f"J = sympy.Matrix([[sympy.diff(v, w).subs(point) for w in [{columns}]] for v in entries])\n{END[given.minor]}"
    )


def python(given: PointedProgram) -> str:
    """Python alone: the matrix J, a list of rows."""
    lines, entries = given.lines(pythonic, "inverse")
    weights = "".join(f"w_{k} = weight({pythonic(x)}, {k})\n" for k, x in enumerate(given.weights, 1))
    columns = ", ".join(f"{column + 1}" for column in given.columns)
    determinant = DETERMINANT if given.minor else ""
    end = END[given.minor].replace("J.det()", "determinant(J)").replace("J.tolist()", "[[*map(str, row)] for row in J]")
    return (
        f"{comments(given, '#')}{DUAL}{determinant}\n"
        f"{weights}{''.join(f'{name} = {text}' + chr(10) for name, text in lines)}"
        f"J = [[(v + Dual(0, {{}})).slopes.get(k, Fraction(0)) for k in [{columns}]] for v in [{', '.join(entries)}]]\n"
        f"{end}"
    )


END = {
    True: 'minor = J.det()\nprint("minor:", minor)\nprint("nonzero" if minor else "zero")\n',
    False: "print(J.tolist())\n",
}
"""The last lines in Python, with and without a minor."""

DUAL = '''from fractions import Fraction


class Dual:
    """A number, and its derivatives by the weights."""

    def __init__(self, number, slopes):
        self.number, self.slopes = Fraction(number), slopes

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other, {})
        return Dual(self.number + other.number, combined(1, self.slopes, 1, other.slopes))

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other, {})
        return Dual(self.number * other.number, combined(other.number, self.slopes, self.number, other.slopes))

    __radd__, __rmul__ = __add__, __mul__


def combined(a, x, b, y):
    return {k: a * x.get(k, 0) + b * y.get(k, 0) for k in {**x, **y}}


def weight(number, k):
    return Dual(number, {k: Fraction(1)})


def inverse(x):
    return Dual(1 / x.number, {k: -slope / x.number**2 for k, slope in x.slopes.items()})

'''
"""Numbers with derivatives, in Python."""

DETERMINANT = """
def determinant(rows):
    rows, result = [list(row) for row in rows], Fraction(1)
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot], result = rows[pivot], rows[k], -result
        result *= rows[k][k]
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    return result

"""
"""The determinant by elimination, in Python."""

"""List sentences over which a newcomer may stumble, and words that are in no glossary.

Read are the README, the pages, the help of all commands, and the docstrings of public names::

    python scripts/plain_words.py [--words] [FILE ...]

A sentence is listed if it uses one of the turns of `TURNS`. With ``--words`` the words in italics are listed that the
glossary does not define. It is a help for whoever writes, not a test: a listed sentence may be right.
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import algatt
from algatt.cli.main import build_parser

ROOT = Path(__file__).resolve().parents[1]

TURNS = {
    "what ...": r"^(?:And |But |So |Of )?[Ww]hat (?:is|are|was|it|they|a|an|the|can|no|does|has|one)\b",
    "such/so many": r"\b(?:so many|so long|so often|as many as|so much)\b(?! as)",
    "told/tells": r"\b(?:told|tells?)\b(?! apart)",
    "is none": r"\b(?:is|are) none\b|\bis no [a-z]+ of\b|\bnone of (?:which|them)\b",
    "of which": r"\bof (?:which|what|whom|those)\b|\bby what\b|\bat which\b",
    "them": r"^(?:Those|Others|Some|Neither)\b",
    "there beside": r"\bbeside (?:it|them|what)\b|\bbesides\b|\bthe same of\b",
    "as is": r"\bas (?:it|they) (?:is|are|was|were)\b",
}


def sentences(text: str) -> Iterator[str]:
    """Iterate over the sentences of a text in Markdown or reStructuredText, without code, tables and formulas."""
    text = re.sub(r"^(`{3,}).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^ *(?:>>>|\.\.\. |\||#|:::|\$\$).*$", "", text, flags=re.MULTILINE)
    for block in re.split(r"\n\s*\n|\n(?=[-*\d]+[.)]? )", text):
        for sentence in re.split(r"(?<=[.:;?!])\s+(?=[A-Z`])", " ".join(block.split())):
            if len(sentence.split()) > 3:
                yield sentence


def texts() -> Iterator[tuple[str, str]]:
    """Iterate over the texts that users read, with their names."""
    for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]:
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for name, command in build_parser()._subparsers._group_actions[0].choices.items():  # argparse has no other way
        yield f"algatt {name} --help", command.format_help()
    for name in algatt.__all__:
        yield f"algatt.{name}", inspect.getdoc(getattr(algatt, name)) or ""


def main() -> None:
    """Print the sentences, by text, and how many there are of each turn."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--words", action="store_true", help="list words in italics that the glossary does not define")
    parser.add_argument("files", nargs="*", help="the texts, by a part of their names; all unless given")
    options = parser.parse_args()
    chosen = [(n, t) for n, t in texts() if not options.files or any(one in n for one in options.files)]
    if options.words:
        glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").lower()
        found = {(w.lower(), n) for n, t in chosen for w in re.findall(r"(?<![*\w])\*([a-z][a-z -]{2,40})\*(?!\*)", t)}
        print("\n".join(f"{word}: {name}" for word, name in sorted(found) if word.rstrip("s") not in glossary))
        return
    counts = dict.fromkeys(TURNS, 0)
    for name, text in chosen:
        for sentence in sentences(text):
            turns = [turn for turn, pattern in TURNS.items() if re.search(pattern, sentence)]
            counts |= {turn: counts[turn] + 1 for turn in turns}
            if turns:
                print(f"{name}: [{', '.join(turns)}] {sentence}")
    print(", ".join(f"{turn}: {count}" for turn, count in counts.items()))


if __name__ == "__main__":
    main()

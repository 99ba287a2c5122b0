"""Names that people take for one another: by lookalike letters, accents, case or spaces."""

from calendar_app.domain.words import fold

# Small letters of Cyrillic, Greek and Latin, and digits, by the Latin letter that they look like.
_LOOKALIKES = str.maketrans(
    {
        lookalike: letter
        for letter, lookalikes in {
            "a": "\u0430\u03b1",
            "b": "\u044c\u03b2",
            "c": "\u0441\u03f2",
            "d": "\u0501",
            "e": "\u0435\u0454",
            "g": "\u0261",
            "h": "\u04bb\u043d",
            "i": "\u0456\u0131\u03b9l1|\u04cf\u0457",
            "j": "\u0458\u03f3",
            "k": "\u043a\u03ba",
            "m": "\u043c",
            "n": "\u043f\u03b7",
            "o": "\u043e\u03bf0\u03c3",
            "p": "\u0440\u03c1",
            "r": "\u0433",
            "s": "\u0455",
            "t": "\u0442\u03c4",
            "u": "\u03c5\u0446",
            "v": "\u0475\u03bd",
            "w": "\u051d\u03c9",
            "x": "\u0445\u03c7",
            "y": "\u0443\u03b3\u04af",
        }.items()
        for lookalike in lookalikes
    }
)


def skeleton(name: str) -> str:
    """Return the letters of a name as a reader sees them; equal for names that look alike."""
    letters = fold(name).translate(_LOOKALIKES).replace("rn", "m")
    return "".join(letter for letter in letters if letter.isalnum())

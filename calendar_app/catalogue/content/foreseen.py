"""What is known of a new record's texts before it is made."""

from dataclasses import dataclass

from calendar_app.domain.kind import Record


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The texts of a new record as they are stored, but for slugs, and what follows from them."""

    variants: Record
    following: Record

    def texts(self) -> Record:
        """Return a copy of the texts, to which slugs may be added."""
        return {language: dict(texts) for language, texts in self.variants.items()}

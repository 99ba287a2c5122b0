"""The parameter that names a language: what a refusal says can be sent."""

import pytest

from calendar_app.api.http.request.negotiation import parameter_language
from calendar_app.errors import InvalidParameters
from calendar_app.settings import Settings


@pytest.mark.parametrize(("is_read", "words"), [(True, "de, rm, all"), (False, "de, rm")])
def test_refusal_names_all_where_a_read_takes_it(is_read, words):
    settings = Settings.load(environment={}, languages=["de", "rm"], default_language="de")
    with pytest.raises(InvalidParameters) as refused:
        parameter_language({"translation_language": "xx"}, settings, is_read=is_read)
    reason = refused.value.reasons["translation_language"]
    assert reason == f"translation_language must be one of {words}."

from io import BytesIO

import pytest
from PIL import Image
from unit.domain.pngs import png

from calendar_app.domain.png_rows import has_all_rows


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
@pytest.mark.parametrize("size", [(1, 1), (7, 5), (300, 200)])
def test_pictures_of_every_mode_have_all_their_rows(mode, size):
    file = BytesIO()
    Image.new(mode, size).save(file, "PNG")
    assert has_all_rows(file.getvalue())


@pytest.mark.parametrize("rows", [0, 5, 9])
def test_missing_rows_are_noticed(rows):
    assert not has_all_rows(png(10, 10, bytes(31 * rows)))
    assert has_all_rows(png(10, 10, bytes(31 * 10)))


# The seven passes over 5 by 5 pixels of a byte; each row begins with the number of its filter.
ADAM7_OF_FIVE = 2 + 2 + 3 + 2 * 2 + 4 + 3 * 3 + 2 * 6


@pytest.mark.parametrize("missing", [0, 1, 6])
def test_interlaced_rows_are_counted_by_pass(missing):
    data = png(5, 5, bytes(ADAM7_OF_FIVE - missing), (8, 0, 1))
    assert has_all_rows(data) is not bool(missing)
    if not missing:
        with Image.open(BytesIO(data)) as image:
            image.load()

"""A site with pictures, for tests of imports."""

from io import BytesIO

from PIL import Image

SITE = "agenda.example.org"
DATES = {
    "start_date": "2027-05-01 19:00:00",
    "end_date": "2027-05-01 21:00:00",
    "timezone": "Europe/Zurich",
    "date_utc": "2026-06-01 10:00:00",
    "modified_utc": "2026-06-01 10:00:00",
}


def png(color="navy", size=(400, 300)):
    file = BytesIO()
    Image.new("RGB", size, color).save(file, "PNG")
    return file.getvalue()


def post(number, **fields):
    fields_of_all = {
        "id": number,
        "global_id": f"{SITE}?id={number}",
        "status": "publish",
        "author": "7",
    }
    return fields_of_all | {"slug": f"record-{number}"} | fields


def event(number, title, **fields):
    return post(number, title=title, all_day=False, website="", **DATES, **fields)


def counted(lines, name):
    """Return how many of a collection were created, updated, unchanged and refused."""
    (line,) = (line for line in lines if line.startswith(f"{name}: "))
    return tuple(int(part.split()[0]) for part in line.removeprefix(f"{name}: ").split(", "))


def image_of(database, number, collection="events"):
    return database[collection].find_one({"_id": number})["image"]

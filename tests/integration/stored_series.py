"""The dates of series as the database has them."""


def dates_beside(database, event):
    """Return the documents of all dates of an event's series, in their order."""
    series = database["events"].find_one(event)["series"]
    return list(database["events"].find({"series": series}).sort("start", 1))

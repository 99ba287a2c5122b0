"""A small site in two languages, with separate ids in each."""

SITE = "site.example"
# The records of the two languages, by the names of tests: ids in German and in Romansh.
IDS = {
    "music": (20, 120),
    "choir": (21, 121),
    "family": (30, 130),
    "hall": (40, 140),
    "square": (41, 141),
    "band": (50, 150),
    "concert": (60, 160),
    "market": (61, 161),
    "talk": (62, 162),
}
WORDS = {
    "music": ("Musik", "Musica"),
    "choir": ("Chor", "Chor rumantsch"),
    "family": ("Familie", "Famiglia"),
    "hall": ("Saal", "Sala"),
    "square": ("Dorfplatz", "Plazza"),
    "band": ("Kapelle", "Chapella"),
    "concert": ("Konzert", "Concert"),
    "market": ("Markt", "Martgà"),
    "talk": ("Vortrag", "Referat"),
}
LANGUAGES = ("de", "rm")


class Site:
    """A site in one language; ``links`` returns the fields of a plug-in for a record."""

    def __init__(self, language, links=None, **changed):
        self.language = language
        self.links = links or (lambda _: {})
        self.changed = changed
        self.at = LANGUAGES.index(language)

    @classmethod
    def telling(cls, language, collections):
        """Return a site with these collections."""
        site = cls(language)
        site.collections = lambda: collections
        return site

    def term(self, name, taxonomy):
        return self.record(
            name, "name", urls={"self": f"https://{SITE}/wp-json/v1/{taxonomy}/{IDS[name][0]}"}
        )

    def post(self, name, label, **fields):
        number = IDS[name][self.at]
        return self.record(
            name,
            label,
            **{"global_id": f"{SITE}?id={number}", "status": "publish", "author": "7", **fields},
        )

    def record(self, name, label, **fields):
        words = WORDS[name][self.at]
        return {
            "id": IDS[name][self.at],
            label: words,
            "slug": words.lower().replace(" ", "-"),
            "description": f"<p>{words}</p>",
            **fields,
            **self.links(name),
            **self.changed.get(name, {}),
        }

    def event(self, name, hour, **fields):
        times = {
            "start_date": f"2027-05-01 {hour:02}:00:00",
            "end_date": f"2027-05-01 {hour + 1:02}:00:00",
            "timezone": "Europe/Zurich",
            "all_day": False,
            "cost": "10",
        }
        nothing = {"image": False, "categories": [], "tags": [], "venue": [], "organizer": []}
        return self.post(name, "title", **times, **(nothing | fields))

    def collections(self):
        music = self.term("music", "categories")
        choir = self.term("choir", "categories") | {"parent": music["id"]}
        family = self.term("family", "tags")
        hall = self.post("hall", "venue", zip="7000", geo_lat=46.85, geo_lng=9.53)
        square = self.post("square", "venue", zip="7001", phone="+41 81 920 00 00")
        band = self.post("band", "organizer", email="band@example.org")
        picture = {"url": f"https://{SITE}/concert.jpg"}
        concert = {"venue": hall, "organizer": [band], "categories": [choir], "image": picture}
        return {
            "categories": [music, choir],
            "tags": [family],
            "venues": [hall, square],
            "organizers": [band],
            "events": [
                self.event("concert", 19, **concert),
                self.event("market", 19, venue=square, tags=[family]),
                self.event("talk", 19, venue=hall, categories=[music]),
            ],
        }


def stored(database, name):
    """Return the record that came with the first language."""
    number = IDS[name][0]
    for collection in ("events", "venues", "organizers", "categories", "tags"):
        if record := database[collection].find_one({"_id": number}):
            return record
    raise AssertionError(name)


def label(record, language):
    texts = record["variants"].get(language, {})
    labels = ("title", "venue", "organizer", "name")
    return next((texts[name] for name in labels if name in texts), None)


def snapshot(database):
    names = ("events", "venues", "organizers", "categories", "tags")
    return {name: list(database[name].find().sort("_id")) for name in names}


def write_matches(tmp_path, *lines):
    path = tmp_path / "matches.csv"
    path.write_text("\n".join(lines))
    return path


def polylang(name):
    return {"translations": dict(zip(LANGUAGES, IDS[name], strict=True))}

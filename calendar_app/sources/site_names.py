"""Permanent names of records at their sites, like ``events/example.org?id=12``."""


def site_of(source: str) -> str:
    """Return the site in a source, ``example.org``."""
    return source.partition("/")[2].rpartition("?id=")[0]


def at_host(source: str) -> str:
    """Return ``tags/example.org?id=5`` for ``tags/example.org/de?id=5``: languages share terms."""
    collection, _, rest = source.partition("/")
    site, mark, number = rest.rpartition("?id=")
    return f"{collection}/{site.partition('/')[0]}{mark}{number}" if mark else source

"""The names of browsers, by which people tell their sessions apart."""

# Most browsers name others too, so the first that matches counts.
_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


def browser_name(agent: str) -> str:
    """Return browser and system as people call them: ``Firefox, Windows``."""
    names = (
        next((name for mark, name in marks.items() if mark in agent), "")
        for marks in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(name for name in names if name) or agent

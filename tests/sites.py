"""Settings of the sites on which tests run."""

from calendar_app.settings import Settings


def swiss_site(settings, **own):
    """Return the settings of a site in Zurich's zone, in German first, with some of its own."""
    return Settings.load(
        environment={},
        site_url=settings.site_url,
        languages=list(settings.languages),
        default_language="de",
        timezone="Europe/Zurich",
        **own,
    )

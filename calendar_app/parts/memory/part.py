"""The part: the translation memory, the glossary, machines that translate, and their jobs."""

from collections.abc import Sequence

from flask import Flask

from calendar_app.calendar.writing.writer import WriteFollower
from calendar_app.parts.memory.desk import glossary, machine, proposals
from calendar_app.parts.memory.desk.aid import MemoryAid
from calendar_app.parts.memory.interface import blueprint
from calendar_app.parts.memory.jobs import MACHINE_JOB_INDEXES, MACHINE_JOBS
from calendar_app.parts.memory.remembering.following import MEMORY, MEMORY_INDEXES, Following
from calendar_app.parts.memory.services import check_translator, fill_of, services_of
from calendar_app.parts.memory.waiting import MACHINE_PROPOSAL_INDEXES, MACHINE_PROPOSALS
from calendar_app.parts.part import Part
from calendar_app.settings import Settings
from calendar_app.site.desk.rendering import add_templates
from calendar_app.site.desk.routing import add_pages
from calendar_app.site.desk.translation_aid import offer_aid
from calendar_app.storage.mongo.store import Store


def install(app: Flask, settings: Settings) -> None:
    """Add the pages of the desk, and the help beside texts of a translation."""
    if settings.desk:
        offer_aid(app, MemoryAid())
        add_templates(app, "calendar_app.parts.memory.desk")
        for own in (glossary.PAGES, machine.PAGES, proposals.PAGES):
            add_pages(app, own)


def _follow(store: Store) -> Sequence[WriteFollower]:
    return (Following(store).note,)


PART = Part(
    blueprint,
    install=install,
    indexes={
        MACHINE_JOBS: MACHINE_JOB_INDEXES,
        MACHINE_PROPOSALS: MACHINE_PROPOSAL_INDEXES,
        MEMORY: MEMORY_INDEXES,
    },
    follow=_follow,
    fill=fill_of,
    aid=services_of,
    check=check_translator,
)

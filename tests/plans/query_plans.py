"""How MongoDB answers a recorded query: the stages of its plan, and what it looks at."""

from bson.codec_options import CodecOptions, DatetimeConversion

from calendar_app.storage.mongo.marks import WRITERS

# Plans tell of the last moment that MongoDB knows, which Python does not.
PLANS = CodecOptions(datetime_conversion=DatetimeConversion.DATETIME_AUTO)


def stages(plan):
    """Return the names of all stages of a plan, however deep."""
    if isinstance(plan, dict):
        own = [plan["stage"]] if isinstance(plan.get("stage"), str) else []
        return own + [name for part in plan.values() for name in stages(part)]
    if isinstance(plan, list):
        return [name for part in plan for name in stages(part)]
    return []


def plan_of(database, command, verbosity):
    """Return the plan of MongoDB for a command."""
    counters = {
        name: value
        for name, value in command.items()
        if not name.startswith("$") and name not in ("lsid", "txnNumber", "readConcern")
    }
    return database.command("explain", counters, verbosity=verbosity, codec_options=PLANS)


def explained(database, command):
    """Return the stages by which MongoDB would answer a command."""
    return stages(plan_of(database, command, "queryPlanner"))


def of_records(recorder):
    """Return the recorded queries but those for the marks of writers, which are few."""
    return [sent for sent in recorder.commands if sent.get("aggregate") != WRITERS]


def examined(plan):
    """Return how many index entries and documents a plan has looked at, however deep it says so."""
    if isinstance(plan, dict) and "totalKeysExamined" in plan:
        return plan["totalKeysExamined"], plan["totalDocsExamined"]
    parts = plan.values() if isinstance(plan, dict) else plan if isinstance(plan, list) else ()
    return next((examined_part for part in parts if (examined_part := examined(part))), None)

"""iCalendar files as three programs write them."""


def calendar(*components, zone=""):
    """Return a calendar with components; each is a text of lines."""
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN"]
    head += [f"X-WR-TIMEZONE:{zone}"] if zone else []
    lines = [line.strip() for each in components for line in each.strip().splitlines()]
    return "\r\n".join([*head, *lines, "END:VCALENDAR", ""])


def vevent(uid="one@example.org", *lines, title="Choir", start="20270106T190000"):
    """Return an event of two hours in Zurich."""
    end = start.replace("T19", "T21")
    return "\n".join(
        [
            "BEGIN:VEVENT",
            f"UID:{uid}",
            "DTSTAMP:20261101T100000Z",
            f"DTSTART;TZID=Europe/Zurich:{start}",
            f"DTEND;TZID=Europe/Zurich:{end}",
            f"SUMMARY:{title}",
            *lines,
            "END:VEVENT",
        ]
    )


WEEKLY = "RRULE:FREQ=WEEKLY;COUNT=4"


def override(date, *lines, title="Choir", start=None):
    """Return the component of one date of the series."""
    recurrence_id = f"RECURRENCE-ID;TZID=Europe/Zurich:{date}"
    return vevent("one@example.org", recurrence_id, *lines, title=title, start=start or date)


GOOGLE = calendar(
    """
    BEGIN:VEVENT
    DTSTART:20270701T170000Z
    DTEND:20270701T190000Z
    DTSTAMP:20261101T100000Z
    UID:summer@google.com
    DESCRIPTION:Bring <b>songs</b>.<br>And friends.
    LOCATION:Aula\\, Via Nova 3\\, 7500 Valdorta\\, Switzerland
    SEQUENCE:0
    STATUS:TENTATIVE
    SUMMARY:Songs & dances
    TRANSP:OPAQUE
    END:VEVENT
    """,
    """
    BEGIN:VEVENT
    DTSTART;TZID=Europe/Zurich:20270301T090000
    DTEND;TZID=Europe/Zurich:20270301T100000
    RRULE:FREQ=WEEKLY;WKST=MO;UNTIL=20270322T225959Z;BYDAY=MO
    EXDATE;TZID=Europe/Zurich:20270308T090000
    DTSTAMP:20261101T100000Z
    UID:weekly@google.com
    SUMMARY:Yoga
    STATUS:CONFIRMED
    END:VEVENT
    """,
    """
    BEGIN:VEVENT
    DTSTART;TZID=Europe/Zurich:20270315T110000
    DTEND;TZID=Europe/Zurich:20270315T120000
    RECURRENCE-ID;TZID=Europe/Zurich:20270315T090000
    DTSTAMP:20261101T100000Z
    UID:weekly@google.com
    SUMMARY:Yoga
    STATUS:CONFIRMED
    END:VEVENT
    """,
    zone="Europe/Zurich",
)

OUTLOOK = calendar(
    """
    BEGIN:VTIMEZONE
    TZID:W. Europe Standard Time
    BEGIN:STANDARD
    DTSTART:16011028T030000
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:16010325T020000
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    END:DAYLIGHT
    END:VTIMEZONE
    """,
    """
    BEGIN:VEVENT
    CLASS:PUBLIC
    DTEND;TZID="W. Europe Standard Time":20270601T113000
    DTSTAMP:20261101T100000Z
    DTSTART;TZID="W. Europe Standard Time":20270601T103000
    DESCRIPTION:Agenda\\n\\nAll are welcome.
    ORGANIZER;CN="Ladina Caduff":mailto:ladina@example.org
    SUMMARY;LANGUAGE=de-ch:Sitzung
    UID:040000008200E00074C5B7101A82E008
    X-ALT-DESC;FMTTYPE=text/html:<html><body><p>Agenda\\, short</p></body></html>
    X-MICROSOFT-CDO-BUSYSTATUS:BUSY
    BEGIN:VALARM
    TRIGGER:-PT15M
    ACTION:DISPLAY
    DESCRIPTION:Reminder
    END:VALARM
    END:VEVENT
    """,
    """
    BEGIN:VEVENT
    DTSTART;TZID="W. Europe Standard Time":20270801T000000
    DTEND;TZID="W. Europe Standard Time":20270803T000000
    DTSTAMP:20261101T100000Z
    SUMMARY:Fest
    UID:allday@outlook
    X-MICROSOFT-CDO-ALLDAYEVENT:TRUE
    END:VEVENT
    """,
)

APPLE = calendar(
    """
    BEGIN:VEVENT
    UID:4E1A-APPLE
    DTSTAMP:20261101T100000Z
    DTSTART;VALUE=DATE:20270901
    DURATION:P2D
    SUMMARY:Alp
    LOCATION:Alp Sura\\nVia Alp 1\\n7500 Valdorta
    GEO:46.8;9.5
    URL;VALUE=URI:https://example.org/alp
    CATEGORIES:Hike,Family
    ATTACH;FMTTYPE=image/jpeg:https://example.org/alp.jpg
    CONTACT:Reto\\, +41 81 555 01 01\\, reto@example.org
    END:VEVENT
    """,
)

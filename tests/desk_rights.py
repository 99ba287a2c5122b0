"""Who may open each page of the desk."""

ROLES = ("subscriber", "contributor", "author", "editor", "admin")
EVERYBODY = "everybody"
WRITERS = ("contributor", "author", "editor", "admin")
AUTHORS = ("author", "editor", "admin")
EDITORS = ("editor", "admin")
ADMINS = ("admin",)

# Who may open each address, by method. A page of the desk without a row here fails.
_KIND = "/desk/<any(venues,organizers,categories,tags,media):kind>"
_ANY = "any(events,venues,organizers,categories,tags,series,media)"
_ONE = f"/desk/<{_ANY}:name>/<digits:record_id>"
_TRANSLATION = (
    "/desk/<any(events,series,venues,organizers,categories,tags,media):kind>/<digits:id>"
    "/translate/<language>"
)
_SOURCE = "/desk/sources/<digits:record_id>"
_WAITING = "/desk/queue/<digits:record_id>"
_WAITING_KIND = "/desk/queue/<any(series,venues,organizers):name>/<digits:record_id>"
_WEBHOOK = "/desk/webhooks/<digits:webhook_id>"
_OF_AUTHORS = {
    "events": AUTHORS,
    "venues": AUTHORS,
    "organizers": AUTHORS,
    "categories": AUTHORS,
    "tags": EDITORS,
    "media": AUTHORS,
}
ROWS = {
    ("GET", "/desk/static/<path:name>"): EVERYBODY,
    ("GET", "/desk/login"): EVERYBODY,
    ("POST", "/desk/login"): EVERYBODY,
    ("POST", "/desk/logout"): EVERYBODY,
    ("GET", "/desk/"): ROLES,
    ("GET", "/desk/me/"): ROLES,
    ("POST", "/desk/me/own"): ROLES,
    ("POST", "/desk/me/password"): ROLES,
    ("POST", "/desk/me/sessions/end"): ROLES,
    ("POST", "/desk/me/application-passwords"): ROLES,
    ("POST", "/desk/me/application-passwords/revoke"): ROLES,
    ("GET", "/desk/translations/machine"): WRITERS,
    ("POST", "/desk/translations/machine"): WRITERS,
    ("GET", "/desk/translations/machine/progress"): WRITERS,
    ("GET", "/desk/missing/"): WRITERS,
    ("GET", "/desk/missing/<any(picture,place,category):what>"): WRITERS,
    ("GET", f"{_KIND}/"): {
        "venues": WRITERS,
        "organizers": WRITERS,
        "categories": AUTHORS,
        "tags": EDITORS,
        "media": AUTHORS,
    },
    **{
        (method, f"{_KIND}/{path}"): {
            "venues": WRITERS if path == "new" else AUTHORS,
            "organizers": WRITERS if path == "new" else AUTHORS,
            "categories": AUTHORS,
            "tags": EDITORS,
            "media": AUTHORS,
        }
        for method in ("GET", "POST")
        for path in ("new", "<digits:record_id>", "<digits:record_id>/delete")
    },
    ("POST", "/desk/<any(venues,organizers):kind>/<digits:record_id>/restore"): AUTHORS,
    ("GET", "/desk/<any(venues,organizers):kind>/alike"): WRITERS,
    **{
        (method, f"/desk/<any(venues,organizers):kind>/<digits:record_id>/{path}"): AUTHORS
        for method, path in (("GET", "unite"), ("POST", "unite"), ("POST", "separate"))
    },
    ("GET", "/desk/events/"): WRITERS,
    ("GET", "/desk/events/week"): WRITERS,
    ("GET", "/desk/events/views"): WRITERS,
    ("POST", "/desk/events/views"): WRITERS,
    ("POST", "/desk/events/views/change"): WRITERS,
    ("POST", "/desk/<any(events,venues,organizers):kind>/several"): dict.fromkeys(
        ("events", "venues", "organizers"), WRITERS
    ),
    ("POST", "/desk/events/together"): WRITERS,
    ("POST", "/desk/undo"): WRITERS,
    ("GET", "/desk/events/new"): WRITERS,
    ("POST", "/desk/events/new"): WRITERS,
    ("GET", "/desk/events/<digits:record_id>"): {"events": AUTHORS},
    ("POST", "/desk/events/<digits:record_id>"): {"events": AUTHORS},
    ("POST", "/desk/events/<digits:record_id>/trash"): {"events": AUTHORS},
    ("POST", "/desk/events/<digits:record_id>/take-back"): {"events": AUTHORS},
    ("POST", "/desk/events/<digits:record_id>/date"): {"events": AUTHORS},
    ("POST", "/desk/events/reading"): WRITERS,
    ("GET", "/desk/events/suggestions"): WRITERS,
    ("GET", "/desk/media/library"): WRITERS,
    ("GET", "/desk/series/"): WRITERS,
    ("GET", "/desk/series/new"): WRITERS,
    ("GET", "/desk/series/<digits:record_id>"): {"missing": WRITERS},
    ("POST", "/desk/series/<digits:record_id>"): {"missing": WRITERS},
    ("POST", "/desk/series/<digits:record_id>/trash"): {"missing": WRITERS},
    ("POST", "/desk/series/<digits:record_id>/take-back"): {"missing": WRITERS},
    ("POST", "/desk/series/<digits:record_id>/dates"): {"missing": WRITERS},
    ("GET", f"{_ONE}/history"): _OF_AUTHORS,
    ("GET", f"{_ONE}/history/<digits:revision>"): _OF_AUTHORS,
    ("POST", f"{_ONE}/history/<digits:revision>/restore"): _OF_AUTHORS,
    ("GET", _TRANSLATION): _OF_AUTHORS,
    ("POST", _TRANSLATION): _OF_AUTHORS,
    ("POST", "/desk/translations/propose"): WRITERS,
    ("GET", "/desk/translations/memory"): WRITERS,
    ("POST", "/desk/translations/memory"): EDITORS,
    ("GET", "/desk/translations/memory.tmx"): WRITERS,
    ("POST", "/desk/translations/memory/import"): EDITORS,
    ("GET", "/desk/translations/"): WRITERS,
    ("GET", "/desk/translations/next"): WRITERS,
    ("GET", "/desk/trash/"): WRITERS,
    ("POST", "/desk/trash/<any(events,venues,organizers,series):name>/<digits:record_id>"): AUTHORS,
    ("GET", "/desk/queue/"): EDITORS,
    ("GET", "/desk/queue/mistakes/"): EDITORS,
    ("POST", "/desk/queue/mistakes/<digits:report_id>"): {"missing": EDITORS},
    ("POST", "/desk/queue/mistakes/<digits:report_id>/reopen"): {"missing": EDITORS},
    ("GET", "/desk/pictures/<digits:number>/<token>/<filename>"): {"missing": EDITORS},
    # Its author reads what is said about a record, and answers.
    ("GET", _WAITING): {"missing": EDITORS},
    ("GET", _WAITING_KIND): {"venues": AUTHORS},
    ("POST", f"{_WAITING}/answer"): {"missing": EDITORS},
    ("POST", f"{_WAITING_KIND}/answer"): {"venues": AUTHORS},
    **{
        ("POST", f"{path}/{action}"): {"venues": EDITORS}
        for path in (_WAITING, _WAITING_KIND)
        for action in ("publish", "undo", "ask", "refuse")
    },
    ("GET", "/desk/sources/"): EDITORS,
    ("GET", "/desk/sources/new"): EDITORS,
    ("POST", "/desk/sources/new"): EDITORS,
    ("GET", _SOURCE): {"missing": EDITORS},
    **{
        (method, f"{_SOURCE}/{page}"): {"missing": EDITORS}
        for method, page in (
            *(("GET", "settings"), ("POST", "settings"), ("GET", "delete"), ("POST", "delete")),
            *(("POST", "read"), ("POST", "stop"), ("GET", "progress")),
            *(("GET", "words"), ("POST", "words")),
            *(("GET", "readings/<reading>"), ("GET", "register"), ("POST", "register/<entry>")),
        )
    },
    ("GET", "/desk/sources/doubles/"): EDITORS,
    ("POST", "/desk/sources/doubles/"): EDITORS,
    ("POST", "/desk/sources/doubles/undo"): EDITORS,
    ("GET", "/desk/settings/"): ADMINS,
    ("POST", "/desk/settings/"): ADMINS,
    ("POST", "/desk/settings/letter"): ADMINS,
    ("GET", "/desk/users/"): ADMINS,
    ("GET", "/desk/users/new"): ADMINS,
    ("POST", "/desk/users/new"): ADMINS,
    ("GET", "/desk/users/<digits:user_id>"): ADMINS,
    ("POST", "/desk/users/<digits:user_id>"): ADMINS,
    **{
        ("POST", f"/desk/users/<digits:user_id>/{action}"): ADMINS
        for action in ("block", "invitation", "passwords/revoke", "remove", "sessions/end")
    },
    ("GET", "/desk/webhooks/"): ADMINS,
    ("GET", "/desk/webhooks/new"): ADMINS,
    ("POST", "/desk/webhooks/new"): ADMINS,
    ("GET", _WEBHOOK): {"missing": ADMINS},
    ("GET", f"{_WEBHOOK}/settings"): {"missing": ADMINS},
    ("GET", f"{_WEBHOOK}/deliveries/<delivery>"): {"missing": ADMINS},
    **{
        ("POST", f"{_WEBHOOK}/{action}"): {"missing": ADMINS}
        for action in (
            *("settings", "switch", "secret", "test", "remove"),
            "deliveries/<delivery>/send",
        )
    },
    ("GET", "/desk/oidc/start"): EVERYBODY,
    ("GET", "/desk/oidc/callback"): EVERYBODY,
    **{
        (method, f"/desk/{path}"): EVERYBODY
        for method in ("GET", "POST")
        for path in ("forgot", "welcome")
    },
    **{
        (method, "/desk/<path:path>"): ROLES for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
    },
}

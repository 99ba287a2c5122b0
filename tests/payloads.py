"""Texts that would run a script if a page, or a browser that repairs it, took them as HTML."""

PAYLOADS = (
    "<script>ran()</script>",
    "<img src=x onerror=ran()>",
    "<svg/onload=ran()>",
    "<svg><animate onbegin=ran() attributeName=x dur=1s>",
    '"><iframe srcdoc="<script>parent.ran()</script>">',
    "' onfocus=ran() autofocus tabindex=1 x='",
    '" onfocus="ran()" autofocus tabindex="1" x="',
    "</title><script>ran()</script>",
    "</textarea><script>ran()</script>",
    "</script><script>ran()</script>",
    "</style><script>ran()</script>",
    "--><script>ran()</script><!--",
    "]]><script>ran()</script>",
    "<![CDATA[<script>ran()</script>]]>",
    "&lt;script&gt;ran()&lt;/script&gt;",
    "&amp;lt;img src=x onerror=ran()&amp;gt;",
    "&#60;img src=x onerror=ran()&#62;",
    "<scr<script>ipt>ran()</scr</script>ipt>",
    "<a href='javascript:ran()'>read</a>",
    "<a href='java\nscript:ran()'>read</a>",
    "<a href='&#106;avascript:ran()'>read</a>",
    "<a href='data:text/html,<script>ran()</script>'>read</a>",
    "<form action=javascript:ran()><button>send</button></form>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img onerror=ran()&gt;'>",
    "<math><mtext><table><mglyph><style><img src=x onerror=ran()>",
    "<svg></p><style><a id='</style><img src=x onerror=ran()>'>",
    "<svg><style><img title='</style><img src=x onerror=ran()>'>",
    "<noscript><p title='</noscript><img src=x onerror=ran()>'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=ran()>",
    "<table><td><xmp><p title='</xmp><img src=x onerror=ran()>'>",
    "<listing>&lt;img src=x onerror=ran()&gt;</listing>",
    "<template><script>ran()</script></template>",
    "<select><template><style><!--</style><a rel='--></style></select><img src=x onerror=ran()>'>",
    "<math><annotation-xml encoding='text/html'><style><img src=x onerror=ran()></style></math>",
    "<p style='background:url(javascript:ran())'>text</p>",
    "<link rel=stylesheet href='data:text/css,*{display:none}'>",
    "<base href='https://evil.example/'>",
    "<meta http-equiv=refresh content='0;url=javascript:ran()'>",
    "<object data='javascript:ran()'></object>",
    "<embed src='data:image/svg+xml,<svg onload=ran() xmlns=http://www.w3.org/2000/svg>'>",
    "<details open ontoggle=ran()>",
    "<input onfocus=ran() autofocus>",
    "{{ ran() }}{% raw %}${ran()}",
    "\u2028<script>ran()</script>\u2029",
)
# Scripts for a browser: the first notes what runs, the second lists what would on an event.
WATCH = """
    window.hasRun = [];
    window.ran = () => window.hasRun.push(location.href);
    window.alert = window.ran;
"""
HANDLERS = """
    [...document.querySelectorAll("*")].flatMap((each) => [...each.attributes])
        .filter(({name}) => name.startsWith("on")).map(({name, value}) => `${name}=${value}`)
"""


def hostile_event(payload):
    """Return an event, with venue and organizer, that has a payload in every text."""
    return {
        "title": f"Concert {payload}",
        "description": f"<p>Text {payload}</p>",
        "excerpt": payload,
        "cost": payload,
        "event_status": "canceled",
        "status_reason": payload,
        "venue": {
            "venue": f"Hall {payload}",
            "description": payload,
            **dict.fromkeys(("address", "city", "country", "province", "zip", "phone"), payload),
        },
        "organizer": {
            "organizer": f"Choir {payload}",
            "description": payload,
            "phone": payload,
        },
    }

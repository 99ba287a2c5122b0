from random import Random
import pytest
from neighbors import EDITOR
from test_followed_histories import History, catch_up

def short(e):
    return (e["start_date"], e["title"], e["status"], str(e.get("rules","")), e["recurrence_id"] if "recurrence_id" in e else "")

def diff(b, a):
    B, A = [short(e) for e in b.events()], [short(e) for e in a.events()]
    out = [("only B", x) for x in B if x not in A] + [("only A", x) for x in A if x not in B]
    if len(A)!=len(B): out.append((len(B),len(A)))
    if not out:
        for x,y in zip(b.events(), a.events()):
            out += [(x["title"], n, x.get(n), y.get(n)) for n in x|y if x.get(n)!=y.get(n)]
    return out

@pytest.mark.parametrize("seed", range(3, 15))
def test_x(calendars, seed):
    a, b = calendars("ab")
    log=[]
    history = History(a, Random(seed))
    orig = a.as_admin.send
    def send(method, path, **o):
        r = orig(method, path, **o)
        if method!="GET": log.append((method, path, o.get("json"), r.status_code))
        return r
    a.as_admin.send = send
    s = b.follow(a)
    for i in range(40):
        n=len(log)
        before=[short(e) for e in a.events()]
        history.write()
        reading = b.sources.read(s, EDITOR)
        if reading.state=="waiting":
            reading = b.sources.read(s, EDITOR, accept=reading.id)
        d = diff(b,a)
        if d:
            es=list(b.database["source_reading_events"].find({"reading":reading.id}))
            raise AssertionError("\n".join(map(str,[ "STEP",i,*log[n:],"NUM",reading.numbers,*[{k:e[k] for k in e if k in("outcome","label","fields","kept","reason","recurrence_id")} for e in es], "DIFF",*d, "BEFORE A", *before])))

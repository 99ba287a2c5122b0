"""Pictures that an import does not bring, and why; the records are taken all the same."""

import pytest
from agenda import counted, event, image_of, png


def refused(lines):
    return [line for line in lines if line.startswith("Refused picture")]


BAD = {
    "missing": ({"body": b"", "status": 404}, "404"),
    "asked too much": ({"body": b"", "status": 429, "retry_after": "0"}, "429"),
    "script": ({"body": b"<script>alert(1)</script>", "content_type": "text/html"}, "text/html"),
    "svg": ({"body": b"<svg/>", "content_type": "image/svg+xml"}, "not a JPEG"),
    "named a picture": ({"body": b"<html></html>"}, "not a JPEG"),
    "cut off": ({"body": png()[:-40]}, "cut off"),
    "shorter than said": ({"body": png(), "content_length": "100000"}, "no answer"),
    "too large": ({"body": b"\x89PNG" + b"x" * 200_000}, "larger"),
    "circle": ({"body": b"", "status": 302, "location": "/circle.png"}, "without an end"),
    "elsewhere": (
        {"body": b"", "status": 301, "location": "ftp://example.org/a.png"},
        "not the web address",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_failed_picture_is_reported_and_its_record_imported(import_told, database, host, name):
    options, reason = BAD[name]
    address = host.put(f"/{name.replace(' ', '-')}.png", **options)
    good = {"url": host.put("/good.png", png()), "id": 91}
    site = {
        "events": [
            event(60, "Concert", image={"url": address, "id": 90}),
            event(61, "Market", image=good),
        ]
    }
    lines = import_told(site, "--media", max_upload="100000")
    assert counted(lines, "media") == (1, 0, 0, 1)
    (line,) = refused(lines)
    assert address in line
    assert reason in line
    assert (image_of(database, 60), image_of(database, 61)) == (address, 91)
    assert database["files.files"].count_documents({}) == 3
    assert counted(import_told(site, "--media", max_upload="100000"), "events") == (0, 0, 2, 0)


@pytest.mark.parametrize("status", [429, 503])
def test_busy_host_is_asked_again(import_told, database, host, status):
    address = host.put("/poster.png", b"", status=status, retry_after="0")
    host.then("/poster.png", png())
    import_told({"events": [event(60, "Concert", image={"url": address, "id": 90})]}, "--media")
    assert image_of(database, 60) == 90
    assert len(host.asked) == 2


def test_redirects_are_followed(import_told, database, host):
    host.put("/final.png", png())
    address = host.put("/poster.png", b"", status=302, location="final.png")
    import_told({"events": [event(60, "Concert", image={"url": address, "id": 90})]}, "--media")
    assert image_of(database, 60) == 90
    assert database["media"].find_one({"_id": 90})["filename"] == "poster.png"


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "[::1]"])
def test_private_networks_are_not_reached(import_told, database, host, name):
    host.put("/poster.png", png())
    address = host.address("/poster.png", name)
    lines = import_told(
        {"events": [event(60, "Concert", image={"url": address, "id": 90})]}, "--media", networks=""
    )
    assert counted(lines, "media") == (0, 0, 0, 1)
    assert "not public" in refused(lines)[0]
    assert image_of(database, 60) == address
    assert host.asked == []


@pytest.mark.parametrize(
    "target",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:169.254.169.254]/",
        "http://10.0.0.1/a.png",
        "http://localhost:{port}/secret.png",
    ],
)
def test_redirect_to_a_private_network_is_refused(import_told, host, other_host, target):
    host.put("/secret.png", png())
    away = {"status": 302, "location": target.format(port=host.port)}
    image = {"url": other_host.put("/poster.png", b"", **away), "id": 90}
    site = {"events": [event(60, "Concert", image=image)]}
    (line,) = refused(import_told(site, "--media", networks="127.0.0.2"))
    assert "not public" in line
    assert other_host.asked == ["/poster.png"]
    assert host.asked == []

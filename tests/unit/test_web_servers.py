"""The web servers that the documentation puts in front of the service are configured well."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from calendar_app.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "put-a-web-server-in-front.md").read_text()
LIMIT = Settings.load().max_upload
SECRETS = (
    *("token=a", "password=a", "x=1&token=a", "x=1&PASSWORD=a", "token=a&x=1"),
    # Other notations of the same names.
    *("password[]=a", "password%5B%5D=a", "pass%77ord=a", "x=1&%74oken=a"),
)
SEARCHES = ("search=password", "search=50%25&x=1")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


(CADDY,) = blocks("caddyfile")
NGINX = {
    "compose": (ROOT / "config" / "nginx.conf").read_text(),
    # Without the certificate and the second family of addresses, which a machine may lack.
    "page": re.sub(r".*(\[::\]|ssl_certificate).*\n|(?<=443) ssl", "", *blocks("nginx")),
}


@pytest.mark.skipif(not shutil.which("nginx"), reason="no nginx here")
@pytest.mark.parametrize("name", NGINX)
def test_nginx_understands_its_configuration(tmp_path, name):
    main = tmp_path / "nginx.conf"
    main.write_text(f"pid {tmp_path}/pid; events {{}} http {{ {NGINX[name]} }}")
    checked = subprocess.run(
        ["nginx", "-t", "-q", "-e", "stderr", "-c", main], capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("name", NGINX)
def test_nginx_logs_no_query_with_a_secret(name):
    (pattern,) = re.findall(r'"~\*(\^.*)" "\$path', NGINX[name])
    hides = re.compile(pattern.replace("?<path>", "?P<path>"), re.IGNORECASE).match
    for query in SECRETS:
        assert hides(f"/events?{query}")
    assert not any(hides(f"/events?{query}") for query in SEARCHES)
    servers = NGINX[name].count("listen 80;") + NGINX[name].count("listen 443")
    assert NGINX[name].count("access_log") == servers


@pytest.mark.parametrize("text", [*NGINX.values(), CADDY, *blocks("yaml")])
def test_compression_is_left_to_the_service(text):
    assert not re.search("gzip|encode|compress", text)


@pytest.mark.parametrize("name", NGINX)
def test_nginx_takes_the_largest_upload(name):
    (megabytes,) = re.findall(r"client_max_body_size (\d+)m;", NGINX[name])
    assert int(megabytes) << 20 >= LIMIT


@pytest.mark.skipif(not shutil.which("caddy"), reason="no caddy here")
def test_caddy_understands_its_configuration(tmp_path):
    file = tmp_path / "Caddyfile"
    file.write_text(CADDY.replace("/var/log/caddy", str(tmp_path)))
    checked = subprocess.run(
        ["caddy", "validate", "--config", file, "--adapter", "caddyfile"],
        env=os.environ | {"HOME": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr


def test_caddy_logs_no_query_with_a_secret():
    (pattern,) = re.findall(r'request>uri regexp "(.*?)" "', CADDY)
    for query in SECRETS:
        assert re.sub(pattern, "?[hidden]", f"/events?{query}") == "/events?[hidden]"
    assert not any(re.search(pattern, f"/events?{query}") for query in SEARCHES)
    assert CADDY.count("import without_secrets") == len(re.findall(r"\blog\b.*\{", CADDY)) == 2


def test_caddy_takes_the_largest_upload():
    (megabytes,) = re.findall(r"max_size (\d+)MiB", CADDY)
    assert int(megabytes) << 20 >= LIMIT


@pytest.fixture(scope="module")
def traefik():
    """Return both files of Traefik: how it starts, and where requests go."""
    return [YAML(typ="safe").load(text) for text in blocks("yaml")]


def test_traefik_logs_no_query_and_no_header(traefik):
    start, _ = traefik
    log = start["accessLog"]
    assert log["format"] == "json"  # the other format keeps all fields
    assert log["fields"]["queryParameters"] == {"defaultMode": "drop"}
    assert log["fields"]["headers"] == {"defaultMode": "drop"}
    assert log["fields"]["names"]["RequestLine"] == "drop"


def test_traefik_takes_the_largest_upload_and_hides_the_figures(traefik):
    _, routes = traefik
    (router,) = routes["http"]["routers"].values()
    assert router["rule"] == "Host(`agenda.example.org`) && !Path(`/metrics`)"
    (limit,) = (routes["http"]["middlewares"][name] for name in router["middlewares"])
    assert limit["buffering"]["maxRequestBodyBytes"] >= LIMIT


def test_each_name_that_traefik_is_given_exists(traefik):
    start, routes = traefik
    (router,) = routes["http"]["routers"].values()
    assert router["service"] in routes["http"]["services"]
    assert set(router["entryPoints"]) < set(start["entryPoints"])
    for point in start["entryPoints"].values():
        ways = point["http"].get("redirections", {"entryPoint": {"to": "websecure"}})
        assert ways["entryPoint"]["to"] in start["entryPoints"]
    resolver = start["entryPoints"]["websecure"]["http"]["tls"]["certResolver"]
    challenge = start["certificatesResolvers"][resolver]["acme"]["httpChallenge"]
    assert challenge["entryPoint"] in start["entryPoints"]
    assert f"`{start['providers']['file']['filename']}`:" in PAGE

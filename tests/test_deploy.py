"""The files of `deploy` name what there is; `tests/web/test_behind_nginx.py` runs the nginx one."""

import json
import re
import shlex
from ipaddress import ip_address, ip_network

import pytest
import yaml

from tests import ROOT
from tests.cli.run_command import jurat

DEPLOY = ROOT / "deploy"
CONTAINER = (DEPLOY / "Containerfile").read_text()
UNIT = (DEPLOY / "jurat.service").read_text()


def _unit_command() -> list[str]:
    (line,) = re.findall(r"^ExecStart=(.+)$", UNIT, re.MULTILINE)
    return shlex.split(line)


def _container_command() -> list[str]:
    (line,) = re.findall(r"^CMD (\[.+\])$", CONTAINER, re.MULTILINE)
    return list(json.loads(line))


@pytest.mark.parametrize("command", [_unit_command(), _container_command()])
def test_servers_are_started_with_options_that_there_are(command: list[str]) -> None:
    said = jurat(command[1], "--help").stdout
    options = [word for word in command if word.startswith("--")]
    assert options
    assert [word for word in options if word not in said] == []


def test_the_image_has_what_is_installed_and_nothing_else() -> None:
    copied = [line.split()[1:-1] for line in re.findall(r"^COPY .+$", CONTAINER, re.MULTILINE)]
    names = {name for line in copied for name in line}
    assert names == {"pyproject.toml", "README.md", "LICENSE", "src"}
    assert all((ROOT / name).exists() for name in names)


def test_nginx_finds_a_server_that_was_started_anew() -> None:
    """It looks the name up once, when it is started itself."""
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    (network,) = composed["networks"]["default"]["ipam"]["config"]
    fixed = composed["services"]["jurat"]["networks"]["default"]["ipv4_address"]
    assert ip_address(fixed) in ip_network(network["subnet"])


def test_services_of_the_compose_file_know_each_other() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    assert {name for one in services.values() for name in one.get("depends_on", ())} <= set(
        services
    )
    (server,) = re.findall(r"server (\w+):(\d+)", (DEPLOY / "nginx.conf").read_text())
    assert server[0] in services
    assert server[1] in _container_command()
    assert "@database/" in services["jurat"]["environment"]["JURAT_STORE"]


def test_the_health_check_is_valid_python() -> None:
    (line,) = re.findall(r"^    (\[\"python\".+\])$", CONTAINER, re.MULTILINE)
    _, flag, code = json.loads(line)
    assert flag == "-c"
    compile(code, "HEALTHCHECK", "exec")

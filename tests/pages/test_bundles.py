"""The one stylesheet and the one script of the readers' pages."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import override_settings

from papersite.bundles import BUNDLES, BundleFinder, PartsFinder

STATIC = Path(__file__).resolve().parents[2] / "static"
SCRIPTS = sorted((STATIC / "js/site").glob("*.js"))
STYLES = sorted((STATIC / "css/site").glob("*.css"))


@pytest.fixture
def finder(tmp_path, settings) -> BundleFinder:
    """A finder of a small site's bundles."""
    settings.BASE_DIR, settings.STATIC_BUNDLES = tmp_path, tmp_path / "bundles"
    for folder in ("css/site", "js/site"):
        (tmp_path / "static" / folder).mkdir(parents=True)
    for name in ("day", "base", "tokens", "components", "a"):
        (tmp_path / f"static/css/site/{name}.css").write_text(f".{name} {{ }}\n")
    (tmp_path / "static/js/site/one.js").write_text("const same = 1;\n")
    (tmp_path / "static/js/site/two.js").write_text("const same = 2;\n")
    return BundleFinder()


def text_of(finder: BundleFinder, name: str) -> str:
    return Path(finder.find(name)).read_text("utf-8")


def test_tokens_come_first_and_the_other_styles_by_name(finder):
    order = re.findall(r"\.(\w+) \{", text_of(finder, "site.css"))
    assert order == ["tokens", "base", "components", "a", "day"]


@pytest.mark.parametrize("change", ["edited", "added", "removed"])
def test_a_change_of_a_part_is_seen_at_once(finder, tmp_path, change):
    text_of(finder, "site.css")
    part = tmp_path / "static/css/site" / ("new.css" if change == "added" else "day.css")
    if change == "removed":
        part.unlink()
    else:
        part.write_text(".changed { }\n")
    text = text_of(finder, "site.css")
    assert (".changed" in text) == (change != "removed") and (".day" in text) == (change == "added")


def test_the_same_parts_leave_the_file_as_it_is_for_another_process(finder):
    before = Path(finder.find("site.css")).stat().st_mtime_ns
    assert Path(BundleFinder().find("site.css")).stat().st_mtime_ns == before


def test_a_bundle_that_was_lost_is_made_again(finder):
    Path(finder.find("site.css")).unlink()
    assert ".day" in text_of(finder, "site.css")


def test_the_parts_are_not_collected_beside_the_whole():
    collected = {name for found in (BundleFinder(), PartsFinder()) for name, _storage in found.list([])}
    assert {"site.css", "site.js", "favicon.svg", "css/console.css"} <= collected
    assert not any(name.startswith(("css/site", "js/site")) for name in collected)


def test_what_is_collected_has_a_name_of_its_own_content_and_is_compressed(tmp_path):
    with override_settings(STATIC_ROOT=tmp_path):
        call_command("collectstatic", interactive=False, verbosity=0)
    for bundle in BUNDLES:
        stem, suffix = bundle.name.split(".")
        assert [path.name for path in tmp_path.glob(f"{stem}.????????????.{suffix}.gz")]


def test_bundles_are_served_where_nothing_was_collected(client):
    for bundle in BUNDLES:
        text = b"".join(client.get(f"/static/{bundle.name}").streaming_content).decode()
        assert all(part.name in text for part in bundle.parts(STATIC))
        assert finders.find(bundle.name)


def node() -> str:
    return shutil.which("node") or pytest.skip("needs node, to read the script as a browser would")


def test_scripts_may_use_the_same_names_and_one_that_fails_stops_no_other(finder, tmp_path):
    (tmp_path / "static/js/site/a-broken.js").write_text("missing();\n")
    (tmp_path / "static/js/site/two.js").write_text("const same = 2;\nconsole.log(same);\n")
    script = "globalThis.reportError = () => console.log('reported');\n" + text_of(finder, "site.js")
    ran = subprocess.run([node(), "--input-type=module"], input=script, capture_output=True, text=True, timeout=60)
    assert ran.stdout.split() == ["reported", "2"], ran.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_stands_alone(script):
    assert not re.search(r"^\s*(?:import\b(?!\.meta)|export\b)", script.read_text("utf-8"), re.MULTILINE)


def test_the_whole_script_can_be_read(tmp_path):
    copy = shutil.copy(finders.find("site.js"), tmp_path / "site.mjs")
    checked = subprocess.run([node(), "--check", copy], capture_output=True, text=True, timeout=60)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("style", STYLES, ids=lambda path: path.name)
def test_a_style_ends_what_it_begins(style):
    text = re.sub(r"/\*.*?\*/", "", style.read_text("utf-8"), flags=re.DOTALL)
    assert text.count("{") == text.count("}") and "/*" not in text and "@import" not in text

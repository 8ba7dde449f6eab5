"""A judge's page names all modules that its script needs, so that they come at the same time."""

import re

from jurat.web.context import static_files
from jurat.web.module_imports import imported_modules

# Any import, wherever it stands and however it is written.
ANY = re.compile(r"""\bimport\b[^;'"(]*\(?["']([^"']+)["']""")


def test_modules_are_found_through_others_and_once() -> None:
    files = {
        "a.js": b'import { x } from "./b.js";\nimport "./below/c.js"; // runs\n',
        "b.js": b'import {\n  y,\n} from "./below/c.js";\nexport { z } from "./a.js";\n',
        "below/c.js": b'import "../d.js";\nconst text = "import";\n',
        "d.js": b'import "./gone.js";\n',
    }
    assert imported_modules("a.js", files) == ("b.js", "below/c.js", "a.js", "d.js")


def test_no_import_of_a_judge_s_page_is_missed() -> None:
    files = static_files()
    modules = imported_modules("judging.js", files)
    assert any(name.endswith("spans/input.js") for name in modules)
    for name in ("judging.js", *modules):
        for target in ANY.findall(files[name].decode()):
            assert target.rpartition("/")[2] in {one.rpartition("/")[2] for one in modules}, name

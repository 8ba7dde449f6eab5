"""The draft of a campaign: what the pages of its three steps share, and its campaign.yaml.

The steps are in `draft_testset`, `draft_tasks` and `draft_rules`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import nested_values
from jurat.campaigns.draft_parser import FILE
from jurat.campaigns.draft_preview import DraftPreview, DraftStep
from jurat.campaigns.drafts import Drafts
from jurat.errors import InputError, Problem
from jurat.i18n import Language
from jurat.model import File
from jurat.store import CampaignDraft, CampaignDraftChanged, NoSuchCampaignDraft
from jurat.web.coordinator.campaign_form import task_words
from jurat.web.coordinator.export import as_file
from jurat.web.coordinator.form_fields import INTEGER, FieldGroup, read_line
from jurat.web.coordinator.form_merge import FormChanges, changed, form_changes
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.forms import UPLOAD, sent_files, sent_form
from jurat.web.judge.script_api import OUT_OF_ORDER
from jurat.yamlfile import LARGEST, MISSING

# Files in one upload.
MAX_FILES = 100
MEGABYTE = 1 << 20
STEPS: tuple[DraftStep, ...] = get_args(DraftStep)
CONFIG_NAME = "campaign.yaml"
# What the forms call the parts of a draft that are files.
SET_FIELDS = {
    "test_set": "desk-test-set",
    "tutorial": "desk-tutorial-set",
    "media": "desk-media",
    "human_references": "desk-humans",
}
# The pages of a draft that a form's buttons may lead to once it is saved.
PAGES = re.compile(r"(set|tasks(\?task=\d{1,4})?|rules|declaration|give-up)")


class Draft(NamedTuple):
    """The draft of a campaign, with its preview."""

    stored: CampaignDraft
    preview: DraftPreview
    base: str
    """The path of its pages."""

    @property
    def title(self) -> str:
        """Its title, empty if it has none yet."""
        return self.stored.title

    def problems(self, step: DraftStep, *, asked: bool) -> list[Problem]:
        """The problems of a step; missing values only after a form was sent (`asked`)."""
        found = self.preview.faults_of(step)
        return [fault for fault in found if asked or fault.code != MISSING]

    def in_words(self, problem: Problem, language: Language) -> Problem:
        """A problem with its place as the forms name it: who fills them in need not know the file.

        Problems in other files than campaign.yaml are left as they are.
        """
        if problem.file not in (None, FILE):
            return problem
        head, _, rest = (problem.field or "").partition(".")
        number, _, rest = rest.partition(".")
        task = self.preview.tasks.get(int(number)) if number.isdecimal() else None
        if head in SET_FIELDS:
            place = language.say(SET_FIELDS[head])
        elif head == "tasks" and task:
            # messages about a whole task begin with its name
            words = task_words().get(rest)
            rest = f"“{language.say(words)}”" if words else rest
            place = ", ".join(part for part in (task, rest) if rest)
        else:
            place = problem.field or ""
        return problem.changed(file=None, line=None, field=place)

    def open(self, step: DraftStep) -> int:
        """The number of open problems of a step."""
        return len(self.preview.faults_of(step))


def draft_id(visit: StaffVisit) -> str:
    """The id of the draft in the address."""
    return str(visit.request.path_params["key"])


async def load_draft(visit: StaffVisit) -> Draft:
    """The draft in the address; 404 if it does not exist."""
    drafts: Drafts = visit.service.drafts
    try:
        found = await visit.call(drafts.get, draft_id(visit))
        preview = await visit.call(drafts.preview, draft_id(visit))
        return Draft(found, preview, f"{visit.site.desk}draft/{found.id}/")
    except NoSuchCampaignDraft as error:
        raise HTTPException(404) from error


async def collect_faults(
    visit: StaffVisit, function: Callable[..., Any], *arguments: Any, **options: Any
) -> tuple[Problem, ...]:
    """Call a function in a thread; returns the problems of its `InputError`, or none.

    Failures of the store are raised, and a draft that does not exist is answered with 404.
    """
    try:
        await visit.call(function, *arguments, **options)
    # also `InputError`s, but nothing that the coordinator could correct in the form
    except (*OUT_OF_ORDER, CampaignDraftChanged):
        raise
    except NoSuchCampaignDraft as error:
        raise HTTPException(404) from error
    except InputError as error:
        return error.problems
    return ()


def draft_page(
    visit: StaffVisit, found: Draft, step: DraftStep, status: int = 200, **values: object
) -> Response:
    """A page of one of the steps."""
    return visit.render(
        f"coordinator/draft-{step}.html", status, draft=found, steps=STEPS, step=step, **values
    )


def redirect_to_draft(visit: StaffVisit, to: str) -> Response:
    """Redirect to another page of the same draft."""
    return visit.redirect_to(f"{visit.site.desk}draft/{draft_id(visit)}/{to}")


def next_page(form: FormData, here: str) -> str:
    """The page of the draft that a button leads to after the form was saved; `here` by default."""
    to = read_line(form, "go")
    if to and not PAGES.fullmatch(to):
        raise HTTPException(400)
    return to or here


class MergedForm(NamedTuple):
    """What became of a form that was sent: saved, or refused with what was entered."""

    found: Draft
    """The draft as it is stored now."""
    changes: FormChanges
    refused: tuple[Problem, ...] = ()

    @property
    def saved(self) -> bool:
        """Whether everything that was entered is stored."""
        return not self.refused and not self.changes.conflicts


async def merge_form(
    visit: StaffVisit, form: FormData, groups: Sequence[FieldGroup], task: int = 0
) -> MergedForm:
    """Save what a form changes of the draft, or of one of its tasks, unless there are conflicts."""
    while True:
        found = await load_draft(visit)
        content = section(found, task)
        changes = form_changes(form, groups, content)
        if changes.conflicts or not changes.values:
            return MergedForm(found, changes)
        values = changed(content, changes.values)
        fields = {f"tasks.{task}": values} if task else _top_level(changes.values, values)
        try:
            await visit.call(
                visit.service.drafts.set_fields,
                draft_id(visit),
                fields,
                after=found.stored.edition,
            )
        # somebody else was quicker: their change is looked at before ours is made
        except CampaignDraftChanged:
            continue
        except OUT_OF_ORDER:
            raise
        except InputError as error:
            return MergedForm(found, changes, error.problems)
        return MergedForm(await load_draft(visit), changes)


def section(found: Draft, task: int = 0) -> Any:
    """What is declared of a task by its number, or of the whole campaign."""
    declared = found.stored.declaration
    return nested_values.value_at(declared, ("tasks", task - 1)) if task else declared


def _top_level(changes: Mapping[str, object], content: Mapping[str, object]) -> dict[str, object]:
    """The settings that changed, whole: `sitting` for `sitting.items`."""
    names = dict.fromkeys(name.partition(".")[0] for name in changes)
    return {name: content.get(name) for name in names}


class UploadRefused(Exception):
    """An upload has too many files or is too large; has the response's status and a message."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


class Upload(NamedTuple):
    """A form, and the files that came with it."""

    form: FormData
    files: list[File]
    inputs: list[str]
    """The name of the input that each file was chosen in."""


async def receive_upload(
    visit: StaffVisit, *, files: int = MAX_FILES, largest: int = UPLOAD
) -> Upload:
    """The form and the content of its files, without empty file inputs; raises `UploadRefused`."""
    try:
        form = await sent_files(visit, files=files, largest=largest)
    except HTTPException as error:
        # 400 is what Starlette raises for too many files, or a field that is too long
        if error.status_code not in (400, 413):
            raise
        size = f"{largest / MEGABYTE:.3g}"
        words = visit.language.say("desk-too-large", most=size, files=files)
        raise UploadRefused(error.status_code, words) from error
    try:
        # read before the form is closed, which deletes the files
        sent = [(n, f) for n, f in form.multi_items() if isinstance(f, UploadFile) and f.filename]
        read = [File(str(file.filename), await file.read()) for _, file in sent]
        return Upload(form, read, [name for name, _ in sent])
    finally:
        await form.close()


@coordinators
async def download_config(visit: StaffVisit) -> Response:
    """The draft's campaign.yaml as a download."""
    await load_draft(visit)
    text = await visit.call(visit.service.drafts.yaml, draft_id(visit))
    return as_file(text.encode(), CONFIG_NAME, "application/yaml")


@coordinators
async def replace_config(visit: StaffVisit) -> Response:
    """Replace the draft's campaign.yaml by an edited text or an uploaded file.

    Where somebody else has changed the draft meanwhile, the page shows the text that was entered
    and how it differs from theirs, with status 409.
    """
    try:
        form, files, _ = await receive_upload(visit, files=1, largest=4 * LARGEST)
    except UploadRefused as error:
        return await _config_page(visit, error.status, faults=[Problem(message=error.words)])
    to = next_page(form, "declaration")
    # browsers send the lines of a text area with CRLF
    text = str(form.get("text", "")).replace("\r\n", "\n")
    current = await visit.call(visit.service.drafts.yaml, draft_id(visit))
    # a button that leads elsewhere saves only what was edited
    if not files and text.strip() == current.strip():
        return redirect_to_draft(visit, to)
    file = files[0] if files else File(CONFIG_NAME, text.encode(errors="replace"))
    edition = read_line(form, "edition")
    after = int(edition) if INTEGER.fullmatch(edition) else None
    try:
        faults = await collect_faults(
            visit, visit.service.drafts.load_yaml, draft_id(visit), file, after=after
        )
    except CampaignDraftChanged:
        return await _config_page(visit, 409, text=text)
    if faults:
        return await _config_page(visit, 422, faults=faults, text=None if files else text)
    return redirect_to_draft(visit, to)


@coordinators
async def discard(visit: StaffVisit) -> Response:
    """The page that asks for confirmation; when it is sent, delete the draft with its files."""
    if visit.request.method != "POST":
        return visit.render(
            "coordinator/draft-discard.html", draft=await load_draft(visit), steps=STEPS, step=""
        )
    await sent_form(visit)
    # 404 where somebody else has deleted it
    await load_draft(visit)
    await visit.call(visit.service.drafts.discard, draft_id(visit), author=visit.person.name)
    return visit.redirect_to(visit.site.desk)


async def _config_page(
    visit: StaffVisit, status: int = 200, *, faults: Sequence[Problem] = (), text: str | None = None
) -> Response:
    """The page that shows the draft's campaign.yaml, to be edited or replaced."""
    found = await load_draft(visit)
    declared = await visit.call(visit.service.drafts.yaml, draft_id(visit))
    return visit.render(
        "coordinator/draft-config-file.html",
        status,
        draft=found,
        steps=STEPS,
        step="declaration",
        text=declared if text is None else text,
        # what somebody else has stored meanwhile, and what was entered here
        difference=_difference(declared, text or "") if status == 409 else "",
        refused=faults,
        faults=found.preview.problems,
    )


def _difference(stored: str, entered: str) -> str:
    """How two texts differ, line by line: `-` is stored, `+` was entered."""
    lines = difflib.unified_diff(stored.splitlines(), entered.splitlines(), lineterm="", n=1)
    # the first two lines name files, which mean nothing here
    return "\n".join(list(lines)[2:])


routes = [
    Route("/draft/{key}/campaign.yaml", download_config, methods=["GET"]),
    Route("/draft/{key}/declaration", coordinators(_config_page), methods=["GET"]),
    Route("/draft/{key}/declaration", replace_config, methods=["POST"]),
    Route("/draft/{key}/give-up", discard, methods=["GET", "POST"]),
]

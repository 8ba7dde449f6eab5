"""A campaign of Pearmut as one of Jurat: its texts, protocol and redundancy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from jurat.deserialize import convert
from jurat.errors import input_error, unknown_name
from jurat.formats.file_format import ImportedCampaign
from jurat.formats.imported_protocol import (
    SCORE,
    Asked,
    Scale,
    fitting_suggestions,
    imported_protocol,
    protocol_of,
)
from jurat.formats.json_values import decode_file
from jurat.formats.pearmut_items import ItemTexts, item_names
from jurat.formats.pearmut_spans import MISSING, PearmutSpan, span_places
from jurat.formats.testset_from_texts import REFERENCE, TextRows
from jurat.formats.wmt_ids import split_id
from jurat.model import File, Suggestion
from jurat.protocols import Protocol

# The protocols of Pearmut, and those of Jurat that ask the same.
PROTOCOLS = {"DA": "da", "ESA": "esa", "cESA": "esa", "MQM": "mqm", "XSTSRP": "xsts-rp"}
# The protocol of several translations on a screen, and of how many.
CONTRASTIVE, SIDE_BY_SIDE = "contrastive-esa", range(2, 7)
# Those in which errors are marked.
MARKING = ("ESA", "cESA", "MQM")
# What Pearmut takes where a campaign says nothing.
PROTOCOL, ASSIGNMENT = "cESA", "single-stream"
# Settings that Jurat has in its own way; all others are said not to be carried over.
CARRIED = (
    "protocol", "assignment", "users", "docs_per_user", "special_tokens", "sliders",
    "mqm_severities",
)  # fmt: skip
# Fields of items that become texts; all others are said not to be carried over.
TEXTS = ("tgt", "item_id", "src", "ref", "error_spans")
# Items of a kit, about ten minutes of work.
ITEMS = 20
_MEDIA = ("<video", "<audio", "<img", "<iframe")

Item = Mapping[str, Any]
Document = Sequence[Item]


class _Slider(msgspec.Struct):
    name: str
    min: float = 0
    max: float = 100


class _Info(msgspec.Struct):
    """What a campaign says about its questions, and about how much users are given."""

    docs_per_user: int | None = None
    special_tokens: list[str] | None = None
    sliders: list[_Slider] | None = None
    mqm_severities: list[str] | None = None
    mqm_categories: dict[str, list[str]] | str | None = None


class _Item(msgspec.Struct):
    """What is read of an item; it may have other fields."""

    tgt: dict[str, str]
    item_id: str | int | None = None
    src: str | None = None
    ref: str | None = None
    error_spans: dict[str, list[PearmutSpan] | None] | None = None


class _Campaign(msgspec.Struct):
    campaign_id: str
    data: list[Any] | dict[str, list[list[dict[str, Any]]]]
    info: dict[str, Any] = {}
    data_welcome: list[Any] = []
    data_random: list[Any] = []
    data_goodbye: list[Any] = []


def read_campaign(files: Sequence[File], users: Sequence[str] = ()) -> ImportedCampaign:
    """The campaign in a file; raises `InputError` if there are several, or none.

    `users` are those whom other files name.
    """
    listed = [
        campaign
        for file in files
        for campaign in (
            decode_file(file, list[_Campaign])
            if file.data.lstrip()[:1] == b"["
            else [decode_file(file, _Campaign)]
        )
    ]
    if len(listed) != 1:
        names = tuple(campaign.campaign_id for campaign in listed)
        raise input_error("give one campaign of Pearmut", file=files[0].name, allowed=names)
    return _imported(listed[0], files[0].name, users)


def _imported(campaign: _Campaign, file: str, others: Sequence[str]) -> ImportedCampaign:
    told = str(campaign.info.get("protocol", PROTOCOL))
    if told not in PROTOCOLS:
        raise unknown_name("protocol", told, PROTOCOLS, file=file, field="info.protocol")
    users = _users(campaign)
    documents = [document for of in users.values() for document in of]
    _refuse_odd(documents, file)
    info = _info(campaign, file)
    lost: Counter[str] = Counter()
    texts = TextRows(file)
    asked = _asked(told, campaign, info, documents, file)
    tokens = info.special_tokens or [MISSING]
    for document in documents:
        _add(texts, document, lost)
        _suggest(texts, document, Marking(protocol_of(asked), tokens), lost)
    if not len(texts):
        raise input_error("the campaign has no texts", file=file, field="data")
    absent = texts.fill_absent()
    marks = [name for name in tokens if name != MISSING]
    made_of = replace(
        asked, sources=texts.has_sources, suggestions=texts.has_suggestions, marks=marks
    )
    protocol = imported_protocol(made_of)
    size = sum(map(len, documents)) / len(documents)
    return ImportedCampaign(
        title=campaign.campaign_id,
        protocol=protocol.name,
        protocol_file=protocol.file,
        wanted=max(Counter(map(_key, documents)).values()) if len(users) > 1 else 1,
        judges=_judges(campaign, users),
        documents=info.docs_per_user or max(1, round(ITEMS / size)),
        test_set=texts.test_set(name=campaign.campaign_id),
        notes=tuple(_notes(campaign, asked.protocol, lost)),
        assignment=f"{campaign.info.get('assignment', ASSIGNMENT)} assignment",
        absent=absent,
        users=tuple(dict.fromkeys((*_named_users(campaign), *others))),
        documents_of={
            user: tuple(dict.fromkeys(map(_document_id, own)))
            for user, own in users.items()
            if isinstance(campaign.data, dict)
        },
    )


def _refuse_odd(documents: Sequence[object], file: str) -> None:
    """Raise `InputError` for documents that are no lists of items with translations."""
    for number, document in enumerate(documents, 1):
        message = f"document {number} is not a list of items, each with `tgt`"
        try:
            items = convert(document, list[_Item])
        except msgspec.ValidationError as error:
            raise input_error(f"{message}: {error}", file=file, field="data") from None
        if not items:
            raise input_error(message, file=file, field="data")


def _info(campaign: _Campaign, file: str) -> _Info:
    try:
        # numbers may be written as texts
        return convert(campaign.info, _Info, strict=False)
    except msgspec.ValidationError as error:
        raise input_error(str(error), file=file, field="info") from None


def _asked(
    told: str, campaign: _Campaign, info: _Info, documents: Sequence[Document], file: str
) -> Asked:
    """What users are asked: one score, or the campaign's own sliders, of which there may be none.

    Translations are side by side where everybody has the same few. Raises `InputError`.
    """
    shown = {tuple(sorted(item["tgt"])) for document in documents for item in document}
    same = len(shown) == 1 and len(next(iter(shown))) in SIDE_BY_SIDE
    dynamic = campaign.info.get("assignment", ASSIGNMENT) == "dynamic"
    protocol = CONTRASTIVE if told == "cESA" and same and not dynamic else PROTOCOLS[told]
    scales = [Scale(one.name, one.min, one.max) for one in info.sliders or ()]
    if info.sliders is not None and not scales and told not in MARKING:
        raise input_error("without sliders, nothing is asked", file=file, field="info.sliders")
    return Asked(
        protocol=protocol,
        scales=(SCORE,) if info.sliders is None else scales,
        severities=info.mqm_severities if told == "MQM" else None,
        categories=[*_categories(info)] if told == "MQM" else (),
    )


def _categories(info: _Info) -> Iterator[str]:
    """The campaign's own categories of errors; one without others below it is written twice."""
    told = info.mqm_categories
    for main, listed in told.items() if isinstance(told, dict) else ():
        below = [one for one in listed if one] or [main]
        yield from (f"{main}/{one}" for one in below if main)


def _named_users(campaign: _Campaign) -> list[str]:
    """The ids of the users that the campaign's file names."""
    listed = _listed_users(campaign)
    names = [one.get("user_id") if isinstance(one, dict) else one for one in listed]
    own = list(campaign.data) if isinstance(campaign.data, dict) else []
    return [*own, *(name for name in names if isinstance(name, str))]


def _listed_users(campaign: _Campaign) -> list[Any]:
    told = campaign.info.get("users")
    return told if isinstance(told, list) else []


def _document_id(document: Document) -> str:
    """The id under which the test set has a document."""
    name = _item_names(document)[0]
    return split_id(name, name)[0] or name


def _item_names(document: Document) -> list[str]:
    return item_names(ItemTexts(i.get("item_id"), i.get("src"), i["tgt"]) for i in document)


def _users(campaign: _Campaign) -> dict[str, list[Document]]:
    """The documents by user, in campaigns with tasks; else all of them under one name."""
    if isinstance(campaign.data, dict):
        return {user: list(documents) for user, documents in campaign.data.items()}
    if campaign.info.get("assignment", ASSIGNMENT) == "task-based":
        # what is no list of documents is refused as a document
        tasks = (task if isinstance(task, list) else [task] for task in campaign.data)
        return {str(number): task for number, task in enumerate(tasks)}
    return {"": campaign.data}


def _judges(campaign: _Campaign, users: Mapping[str, object]) -> int:
    told = campaign.info.get("users")
    return told if isinstance(told, int) else len(told) if isinstance(told, list) else len(users)


def _key(document: Document) -> str:
    """A document, whatever the order of its systems and whatever else its items say."""
    shown = [(item.get("item_id"), item.get("src"), sorted(item["tgt"])) for item in document]
    return msgspec.json.encode(shown).decode()


def _add(texts: TextRows, document: Document, lost: Counter[str]) -> None:
    """Add the texts of a document, and count what is not carried over."""
    names = _item_names(document)
    for item, name in zip(document, names, strict=True):
        found, segment = split_id(name, names[0])
        place = (found or names[0], segment)
        texts.add("source", "", place, item.get("src"))
        texts.add("reference", REFERENCE, place, item.get("ref"))
        for system, text in item["tgt"].items():
            if not texts.add("system", system, place, text):
                lost["other texts of the same system for the same item"] += 1
            lost["media in translations"] += any(mark in text for mark in _MEDIA)
        for field in item.keys() - {*TEXTS}:
            lost[f"items with {field}"] += 1


class Marking(NamedTuple):
    """The protocol with which errors are marked, and the names of special tokens."""

    protocol: Protocol
    tokens: Sequence[str]

    def suggestions(
        self, spans: Sequence[PearmutSpan], text: str, lost: Counter[str]
    ) -> list[Suggestion]:
        """The errors that are marked in a text beforehand, as far as the protocol has such."""
        found = []
        for span, place in zip(spans, span_places(spans, text, self.tokens), strict=True):
            start, end, category, missing = place
            special = missing and category is not None
            found.append(
                Suggestion(severity=span.severity or "", mark=category or "")
                if special
                else Suggestion(
                    severity=span.severity or "", start=start, end=end, missing=missing,
                    category=None if missing else category,
                )
            )  # fmt: skip
        return fitting_suggestions(found, self.protocol, len(text), lost)


def _suggest(texts: TextRows, document: Document, marking: Marking, lost: Counter[str]) -> None:
    """Add the errors that are marked beforehand in the items of a document."""
    names = _item_names(document)
    for item, name in zip(document, names, strict=True):
        if not (told := item.get("error_spans")):
            continue
        found, segment = split_id(name, names[0])
        for system, text in item["tgt"].items():
            spans = convert(told.get(system) or [], list[PearmutSpan])
            own = marking.suggestions(spans, text, lost)
            # of a translation without marks, somebody looked and found none
            if not texts.suggest(system, (found or names[0], segment), own):
                lost["other errors marked beforehand in the same translation"] += 1


def _notes(campaign: _Campaign, protocol: str, lost: Mapping[str, int]) -> Iterator[str]:
    told = campaign.info.get("protocol", PROTOCOL)
    if told == "cESA" and protocol != CONTRASTIVE:
        yield "contrastive ESA: every translation is judged on a screen of its own"
    if protocol == CONTRASTIVE:
        yield "the order of translations on the screen, which is another for every kit"
    own = isinstance(campaign.info.get("mqm_categories"), dict)
    carried = (*CARRIED, "mqm_categories") if own else CARRIED
    if settings := sorted(n for n, v in campaign.info.items() if v and n not in carried):
        yield f"settings: {', '.join(settings)}"
    others = {
        "documents before the evaluation (data_welcome)": len(campaign.data_welcome),
        "attention checks (data_random)": len(campaign.data_random),
        "documents after the evaluation (data_goodbye)": len(campaign.data_goodbye),
        "completion codes of users (token_pass, token_fail)": sum(
            bool(one.get("token_pass") or one.get("token_fail"))
            for one in _listed_users(campaign)
            if isinstance(one, dict)
        ),
        **lost,
    }
    yield from (f"{what}: {count:,}" for what, count in others.items() if count)

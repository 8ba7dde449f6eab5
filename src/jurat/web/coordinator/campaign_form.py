"""The settings of a campaign as form fields: rules of the campaign, settings of a task.

`campaign_form.yaml` declares them; what depends on the test set, the protocols and the languages is
filled in here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec
from msgspec.structs import replace

from jurat.kits.items import GOLD
from jurat.kits.policies import POLICIES
from jurat.kits.suggestions import suggesting_questions
from jurat.kits.task_plan import SOURCE
from jurat.model import EASY, TestSet
from jurat.protocols import Protocol
from jurat.protocols.localization import languages
from jurat.web.coordinator.form_fields import FIELDS, Field, FieldGroup, FieldOption
from jurat.web.coordinator.questions_field import QuestionsField
from jurat.yamlfile import Declaration

FILE = "campaign_form.yaml"
POLICY_WORDS = {
    "first-available": "desk-policy-first",
    "by-group": "desk-policy-group",
    "adaptive": "desk-policy-adaptive",
}
# The groups of a task for the making of kits, and where these fields are in campaign.yaml.
KIT_GROUPS = {"desk-kits-made": "kits", "desk-tutorial-kits": "tutorial"}
# Without a tutorial set there is nothing to be set for tutorials.
OF_TUTORIALS = ("required.tutorial", "desk-tutorial-kits")
OF_GUESTS = ("guest",)


class CampaignForm(msgspec.Struct, frozen=True):
    """The content of `campaign_form.yaml`."""

    rules: tuple[FieldGroup, ...]
    task: tuple[FieldGroup, ...]
    kits: tuple[FieldGroup, ...]


@cache
def _form() -> CampaignForm:
    content = files(__package__).joinpath(FILE).read_bytes()
    return Declaration(content, file=FILE).read(CampaignForm, choose={Field: _kind})


def _kind(field: Mapping[str, object]) -> type[Field]:
    kinds: dict[str, type[Field]] = {**FIELDS, QuestionsField.kind: QuestionsField}
    return kinds[str(field["kind"])]


def rule_groups(*, guests: bool) -> list[FieldGroup]:
    """Fields of the whole campaign; `guests`: whether there is anything that guests could try."""
    spoken = [FieldOption("", "desk-language-own"), *map(FieldOption._make, languages().items())]
    left_out = () if guests else OF_GUESTS
    given: dict[str, dict[str, object]] = {"language": {"options": spoken}}
    return [_filled(group, given, left_out) for group in _form().rules]


def task_groups(
    protocols: Sequence[FieldOption],
    test_set: TestSet | None,
    protocol: Protocol | None,
    *,
    tutorial: bool,
) -> list[FieldGroup]:
    """Fields of a task with this protocol; `tutorial`: whether there is a tutorial set."""
    # policies of other packages have no translated name and go by their own
    policies = [FieldOption(name, POLICY_WORDS.get(name, name)) for name in _policies()]
    given: dict[str, dict[str, object]] = {
        "protocol": {"options": protocols},
        "policy": {"options": policies},
        "systems": {"known": [system.name for system in test_set.systems] if test_set else []},
        "documents": {"known": [one.id for one in test_set.documents] if test_set else []},
        # a group may also judge by the source instead of a reference
        "groups": {"known": [*(test_set.references if test_set else ()), SOURCE]},
    }
    if protocol:
        given["revise"] = {"options": _by_protocol(not protocol.final)}
        given["one_system_per_segment"] = {"options": _by_protocol(protocol.one_system_per_segment)}
    left_out = () if tutorial else OF_TUTORIALS
    groups = [_filled(group, given, left_out) for group in _form().task]
    return [each for one in groups if one.words not in left_out for each in _with_kits(one)]


@cache
def task_words() -> Mapping[str, str]:
    """The label of each field of a task, as a key of texts, by the field's name."""
    groups = task_groups((), None, None, tutorial=True)
    return {field.name: field.words for group in groups for field in group.fields}


def _by_protocol(usual: bool) -> list[FieldOption]:
    """What the protocol says, which is this, and what a task may say instead."""
    words = "desk-as-protocol-yes" if usual else "desk-as-protocol-no"
    return [FieldOption(None, words), FieldOption(True, "desk-yes"), FieldOption(False, "desk-no")]


def _with_kits(group: FieldGroup) -> list[FieldGroup]:
    """The groups that a group of a task stands for, with the fields for the making of kits."""
    if group.words not in KIT_GROUPS:
        return [group]
    kits = [_of_kits(one, KIT_GROUPS[group.words]) for one in _form().kits]
    if group.words == "desk-kits-made":
        return kits
    # few campaigns change how kits of the tutorial are made: all in one group, which is folded
    return [replace(group, fields=[field for one in kits for field in one.fields])]


def _of_kits(group: FieldGroup, kits: str) -> FieldGroup:
    fields = [replace(field, name=f"{kits}.{field.name}") for field in group.fields]
    return replace(group, fields=fields)


def not_applicable(protocol: Protocol | None, test_set: TestSet | None) -> frozenset[str]:
    """The fields of a task that mean nothing with this protocol and this test set."""
    found: set[str] = set()
    if protocol:
        found |= {"pairs"} if protocol.systems != "two" else {"systems"}
        # easy controls are single translations
        found |= {"controls.easy"} if protocol.systems != "one" else set()
        found |= set() if suggesting_questions(protocol) else {"suggested"}
    references = protocol is None or any("reference" in stage.show for stage in protocol.stages)
    kits = {f"{kits}.{name}" for kits in KIT_GROUPS.values() for name in found}
    if protocol and protocol.systems != "one":
        kits.add("one_system_per_segment")
    kits |= set() if references else {"groups"}
    return frozenset(kits | (_without_tags(test_set) if test_set else set()))


def _without_tags(test_set: TestSet) -> set[str]:
    """The fields for controls and groups of which the test set has none."""
    segments = [segment for _, segment in test_set.segments()]
    made = (one for segment in segments for one in segment.translations.values())
    absent = set() if any(EASY.items() <= one.tags.items() for one in made) else {"controls.easy"}
    absent |= set() if any(GOLD in one.tags for one in segments) else {"controls.gold"}
    found = {f"{kits}.{name}" for kits in KIT_GROUPS.values() for name in absent}
    if not test_set.references:
        found.add("groups")
    return found | ({"documents"} if len(test_set.documents) < 2 else set())


def _filled(
    group: FieldGroup, given: Mapping[str, Mapping[str, object]], left_out: Iterable[str] = ()
) -> FieldGroup:
    """A group with what is given for its fields by name, without those that are left out."""
    kept = [field for field in group.fields if field.name not in left_out]
    return replace(group, fields=[replace(one, **given.get(one.name, {})) for one in kept])


def _policies() -> list[str]:
    """The names of policies, the default first."""
    # false sorts before true; the sort is stable, so the others keep their order
    return sorted(POLICIES.kinds, key=lambda name: name != "first-available")

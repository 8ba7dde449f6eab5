"""The settings of a campaign as form fields: rules of the campaign, settings of a task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurat.campaigns.draft_preview import TestSetSummary
from jurat.kits.plan import SOURCE
from jurat.kits.policies import POLICIES
from jurat.protocols.localization import languages
from jurat.web.coordinator.form_fields import (
    ChoiceField,
    Field,
    FieldGroup,
    FieldOption,
    NamesField,
    NumberField,
    PairsField,
    SwitchField,
    TextField,
)

POLICY_WORDS = {
    "first-available": "desk-policy-first",
    "by-group": "desk-policy-group",
    "adaptive": "desk-policy-adaptive",
}
# None removes the setting, and the protocol decides.
AS_PROTOCOL = FieldOption(None, "desk-as-protocol")
YES, NO = FieldOption(True, "desk-yes"), FieldOption(False, "desk-no")

# Values of `usual` repeat the defaults of `campaigns.config`: a field with its default is not
# written to campaign.yaml.
NAMING = FieldGroup(
    "desk-naming",
    (
        TextField(name="title", words="desk-title", hint="desk-title-hint"),
        TextField(name="name", words="desk-short-name", hint="desk-short-name-hint"),
        TextField(name="contact.name", words="desk-contact", hint="desk-contact-hint"),
        TextField(name="contact.address", words="desk-contact-address"),
    ),
)
ENTRY = FieldGroup(
    "desk-entry",
    (
        ChoiceField(
            name="registration",
            words="desk-registration",
            usual=False,
            options=(
                NO,
                FieldOption("ask", "desk-registration-ask"),
                FieldOption(True, "desk-registration-yes"),
            ),
        ),
        SwitchField(name="guest", words="desk-guest", hint="desk-guest-hint"),
    ),
)
SITTINGS = FieldGroup(
    "desk-sittings",
    (
        NumberField(name="sitting.items", words="desk-sitting-items", hint="desk-no-limit"),
        NumberField(name="sitting.items_a_day", words="desk-sitting-day", hint="desk-no-limit"),
        NumberField(name="sitting.pause_minutes", words="desk-sitting-pause", usual=30),
        NumberField(name="lease_minutes", words="desk-lease", hint="desk-lease-hint", usual=240),
    ),
    open=False,
)
FAIRNESS = FieldGroup(
    "desk-more",
    (
        ChoiceField(
            name="own_site",
            words="desk-own-site",
            hint="desk-own-site-hint",
            usual="include",
            options=(
                FieldOption("include", "desk-own-site-include"),
                FieldOption("avoid", "desk-own-site-avoid"),
            ),
        ),
        NumberField(name="seed", words="desk-seed", hint="desk-seed-hint", usual=1, least=0),
    ),
    open=False,
)


def rule_groups() -> list[FieldGroup]:
    """Fields of the whole campaign."""
    spoken = [
        FieldOption("", "desk-language-own"),
        *(FieldOption(*one) for one in languages().items()),
    ]
    language = ChoiceField(name="language", words="desk-language", usual="", options=spoken)
    shading = SwitchField(
        name="shading", words="desk-shading", hint="desk-shading-hint", usual=True
    )
    return [NAMING, ENTRY, FieldGroup("desk-seen", (language, shading)), SITTINGS, FAIRNESS]


def rule_names() -> list[str]:
    """The top-level settings that are rules, such as `sitting`."""
    names = (field.name.partition(".")[0] for part in rule_groups() for field in part.fields)
    return list(dict.fromkeys(names))


def task_groups(
    protocols: Sequence[FieldOption], test_set: TestSetSummary | None, *, tutorial: bool
) -> list[FieldGroup]:
    """Fields of a task; `tutorial`: whether there is a tutorial set."""
    required = [
        NumberField(
            name="required.evaluation",
            words="desk-required",
            hint="desk-required-hint",
            usual=1,
            least=0,
        )
    ]
    if tutorial:
        lessons = NumberField(
            name="required.tutorial", words="desk-required-tutorial", usual=0, least=0
        )
        required.append(lessons)
    parts = [
        FieldGroup(
            "desk-what-is-asked",
            (
                ChoiceField(
                    name="protocol", words="desk-protocol", options=protocols, spoken=False
                ),
                TextField(name="name", words="desk-task-name", hint="desk-task-name-hint"),
                NumberField(name="wanted", words="desk-wanted", hint="desk-wanted-hint", usual=1),
                *required,
            ),
        ),
        FieldGroup("desk-kits-made", kit_fields("kits")),
        FieldGroup("desk-part", tuple(_part_of(test_set)), open=False),
        FieldGroup("desk-who-judges", tuple(_judged_by(test_set)), open=False),
    ]
    if tutorial:
        parts.append(FieldGroup("desk-tutorial-kits", kit_fields("tutorial"), open=False))
    return parts


def kit_fields(kits: str) -> list[Field]:
    """Fields for the making of kits, of the evaluation or of the tutorial."""
    orders = (
        FieldOption("document", "desk-order-document"),
        FieldOption("shuffled", "desk-order-shuffled"),
    )
    return [
        NumberField(
            name=f"{kits}.documents", words="desk-kit-documents", hint="desk-kit-size-hint"
        ),
        NumberField(name=f"{kits}.segments", words="desk-kit-segments"),
        ChoiceField(name=f"{kits}.order", words="desk-order", usual="document", options=orders),
        NumberField(
            name=f"{kits}.repeats", words="desk-repeats", hint="desk-repeats-hint", usual=0, least=0
        ),
        NumberField(
            name=f"{kits}.controls.easy", words="desk-easy", hint="desk-easy-hint", usual=0, least=0
        ),
        NumberField(
            name=f"{kits}.controls.degraded",
            words="desk-degraded",
            hint="desk-degraded-hint",
            usual=0,
            least=0,
        ),
        NumberField(
            name=f"{kits}.controls.gold", words="desk-gold", hint="desk-gold-hint", usual=0, least=0
        ),
        NumberField(name=f"{kits}.systems", words="desk-kit-systems", hint="desk-kit-systems-hint"),
        NumberField(name=f"{kits}.pairs", words="desk-pairs", hint="desk-pairs-hint", empty="all"),
    ]


def _part_of(test_set: TestSetSummary | None) -> Iterator[Field]:
    systems = [system.name for system in test_set.systems] if test_set else []
    documents = [document.id for document in test_set.documents] if test_set else []
    yield NamesField(name="systems", words="desk-systems", hint="desk-all-when-none", known=systems)
    yield NamesField(
        name="documents", words="desk-documents", hint="desk-all-when-none", known=documents
    )
    yield NumberField(name="first", words="desk-first", hint="desk-first-hint")
    yield TextField(name="where", words="desk-where", hint="desk-where-hint")


def _judged_by(test_set: TestSetSummary | None) -> Iterator[Field]:
    # a group may also judge by the source instead of a reference
    references = [*test_set.references, SOURCE] if test_set else [SOURCE]
    # policies of other packages have no translated name and go by their own
    policies = [FieldOption(name, POLICY_WORDS.get(name, name)) for name in _policies()]
    yield ChoiceField(name="policy", words="desk-policy", usual="first-available", options=policies)
    yield ChoiceField(name="revise", words="desk-revise", options=(AS_PROTOCOL, YES, NO))
    yield ChoiceField(
        name="one_system_per_segment",
        words="desk-one-system",
        hint="desk-one-system-hint",
        options=(AS_PROTOCOL, YES, NO),
    )
    yield TextField(name="judges", words="desk-only-judges", hint="desk-only-judges-hint")
    yield PairsField(
        name="groups",
        words="desk-groups",
        hint="desk-groups-hint",
        known=references,
        name_words="desk-group",
        value_words="reference",
    )


def _policies() -> list[str]:
    """The names of policies, the default first."""
    # false sorts before true; the sort is stable, so the others keep their order
    return sorted(POLICIES.kinds, key=lambda name: name != "first-available")

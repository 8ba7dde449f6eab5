"""Judges: their accounts, kits and messages."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import UNSET

from jurat.api_types import (
    ChangedKits,
    Flagged,
    JudgeAccount,
    JudgeChange,
    KitChange,
    LoginSlip,
    NewJudges,
    NewMessage,
    SentMessage,
)
from jurat.campaigns.accounts import Slip
from jurat.store import Account
from jurat.web.api.operation import ApiCall, operation


@operation("GET", "/campaigns/{campaign}/judges", "judges")
def list_judges(call: ApiCall) -> list[JudgeAccount]:
    """All accounts of a campaign, whatever their role."""
    seen = call.service.monitoring.last_seen(call.campaign)
    every = call.service.accounts.all(call.campaign)
    return [_account(one, seen.get(one.id)) for one in every if one.role != "guest"]


@operation("POST", "/campaigns/{campaign}/judges", "judges", status=201, hashing=True)
def add_judges(call: ApiCall, body: NewJudges) -> list[LoginSlip]:
    """Create accounts; their passwords and links are in this response and nowhere else."""
    made = call.service.accounts.add(
        call.campaign,
        body.count,
        author=call.author,
        role=body.role,
        group=body.group,
        site=body.site,
        once=body.once,
    )
    return [_slip(call, one) for one in made]


@operation("PATCH", "/campaigns/{campaign}/judges/{pin}", "judges")
def change_judge(call: ApiCall, body: JudgeChange) -> JudgeAccount:
    """Change an account: group, site, note, address; disable or enable it; accept a volunteer."""
    accounts, campaign, author = call.service.accounts, call.campaign, call.author
    # first what can be refused, so that nothing is half done
    accounts.by_pin(campaign, call.pin)
    if body.address is not UNSET:
        accounts.set_address(campaign, call.pin, body.address, author=author)
    if body.accepted is not UNSET:
        accounts.accept(campaign, call.pin, author=author)
    if body.disabled is not UNSET:
        accounts.disable(campaign, call.pin, author=author, disabled=body.disabled)
    if any(value is not UNSET for value in (body.group, body.site, body.note)):
        accounts.update(
            campaign, call.pin, author=author, group=body.group, site=body.site, note=body.note
        )
    found = accounts.by_pin(campaign, call.pin)
    return _account(found, call.service.monitoring.last_seen(campaign).get(found.id))


@operation("POST", "/campaigns/{campaign}/judges/{pin}/password", "judges", hashing=True)
def reset_judge(call: ApiCall) -> LoginSlip:
    """Give an account a new password and link; the old ones no longer work."""
    return _slip(call, call.service.accounts.reset(call.campaign, call.pin, author=call.author))


@operation("POST", "/campaigns/{campaign}/judges/{pin}/kits", "judges")
def change_kits(call: ApiCall, body: KitChange) -> ChangedKits:
    """Return a judge's kits to the others, exclude them, or have them done again."""
    campaigns, given = call.service.campaigns, {"author": call.author, "reason": body.reason}
    if body.action == "redo":
        kits = campaigns.redo(call.campaign, call.pin, task=body.task, **given)
    else:
        all_kits = body.action == "exclude"
        kits = campaigns.give_back(
            call.campaign, call.pin, task=body.task, finished=all_kits, **given
        )
    return ChangedKits(kits=kits)


@operation("DELETE", "/campaigns/{campaign}/judges/{pin}/data", "manage")
def delete_judge_data(call: ApiCall) -> dict[str, int]:
    """Delete all data of a judge for good; how much there was of each kind."""
    return call.service.accounts.delete_data(call.campaign, call.pin, author=call.author)


@operation("GET", "/campaigns/{campaign}/messages", "read")
def list_messages(call: ApiCall) -> list[SentMessage]:
    """All messages to judges, the latest first, withdrawn ones too."""
    return [
        SentMessage(
            to=one.judge,
            **{name: getattr(one, name) for name in SentMessage.__struct_fields__ if name != "to"},
        )
        for one in call.service.messages.all(call.campaign)
    ]


@operation("POST", "/campaigns/{campaign}/messages", "judges", status=204)
def send_message(call: ApiCall, body: NewMessage) -> None:
    """Show a text to a judge, or to all, on their overview."""
    call.service.messages.send(call.campaign, body.text, author=call.author, pin=body.to)


@operation("DELETE", "/campaigns/{campaign}/messages/{message}", "judges", status=204)
def withdraw_message(call: ApiCall) -> None:
    """Show a message to nobody any more; it stays in the list."""
    message = str(call.request.path_params["message"])
    call.service.messages.withdraw(call.campaign, message, author=call.author)


@operation("GET", "/campaigns/{campaign}/flags", "read")
def list_flags(call: ApiCall) -> list[Flagged]:
    """What judges said about items themselves."""
    return [
        Flagged(
            judge=one.judge,
            task=one.task,
            document=one.item.document,
            segment=one.item.segment,
            flag=one.flag,
            comment=one.comment,
            skipped=one.skipped,
            excluded=one.status == "excluded",
            decided_at=one.decided_at,
        )
        for one in call.service.monitoring.flagged(call.campaign)
    ]


def _slip(call: ApiCall, slip: Slip) -> LoginSlip:
    given = {name: value for name, value in msgspec.structs.asdict(slip).items() if name != "token"}
    return LoginSlip(link=f"{call.login_address}link/{slip.token}", **given)


def _account(account: Account, seen: datetime | None) -> JudgeAccount:
    names = [name for name in JudgeAccount.__struct_fields__ if name != "last_seen"]
    return JudgeAccount(last_seen=seen, **{name: getattr(account, name) for name in names})

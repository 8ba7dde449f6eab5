"""`jurat model-judge`: a language model as one more judge of a campaign."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from jurat.cli._common import json_option, setting
from jurat.cli._common.store_address import open_service, store_option
from jurat.cli._common.terminal_output import print_json, tracker
from jurat.errors import counted, input_error

if TYPE_CHECKING:
    from jurat.model_judges import Collected, Prices

# The environment variable with the endpoint's key: an option would stand in the shell's history.
KEY = "JURAT_MODEL_KEY"


@click.command(name="model-judge")
@click.argument("name")
@click.option("--endpoint", required=True, metavar="URL", help="Chat endpoint: https://host/v1.")
@click.option("--model", required=True, metavar="NAME", help="Model that is asked.")
@click.option("--judge", default="", metavar="NAME", help="Name as a judge [default: the model's].")
@click.option("--task", default=None, metavar="NAME", help="Only this task.")
@click.option("--limit", type=click.IntRange(1), help="Ask about so many items at most.")
@setting("--seed", default=1, help="Seed that is sent with every request.")
@setting("--temperature", default=0.0, type=click.FloatRange(0, 2), help="Temperature.")
@click.option(
    "--parameter",
    "parameters",
    multiple=True,
    metavar="KEY=JSON",
    help="Another field of the request: max_tokens=500.",
)
@setting("--retries", default=5, type=click.IntRange(0, 20), help="More attempts a request.")
@setting("--timeout", default=60.0, type=click.FloatRange(0.1, 3600), help="Seconds a request.")
@setting("--parallel", default=4, type=click.IntRange(1, 64), help="Requests at the same time.")
@click.option(
    "--prices",
    default="",
    metavar="IN,OUT",
    help="Price of a million tokens of prompts and of answers, to add up the cost.",
)
@store_option
@json_option
def command(
    *,
    name: str,
    endpoint: str,
    model: str,
    judge: str,
    task: str | None,
    limit: int | None,
    seed: int,
    temperature: float,
    parameters: tuple[str, ...],
    retries: int,
    timeout: float,
    parallel: int,
    prices: str,
    url: str | None,
    as_json: bool,
) -> None:
    """Let a language model judge campaign NAME, through an OpenAI-compatible endpoint.

    Every item of the evaluation is judged once, pairs in both orders. The model is a judge of a
    kind of its own: analyses of people leave it out. The key is read from JURAT_MODEL_KEY. What is
    stored is not asked again.

    \b
    Example:
      jurat model-judge sample --endpoint http://localhost:8000/v1 --model NAME --limit 20
    """
    import time

    from jurat.model_judges import Collector, Endpoint

    asked = Endpoint(endpoint, key=os.environ.get(KEY, ""), timeout=timeout, clock=time.monotonic)
    with open_service(url) as service:
        collector = Collector(
            service=service,
            campaign=name,
            judge=judge or model,
            model=model,
            endpoint=asked,
            sleep=time.sleep,
            clock=time.monotonic,
            seed=seed,
            temperature=temperature,
            parameters=_parameters(parameters),
            retries=retries,
            prices=_prices(prices),
            parallel=parallel,
        )
        items = len(service.model_judges.tasks(name, only=task))
        with tracker("items", items if limit is None else min(limit, items)) as advance:
            found = collector.run(task=task, limit=limit, on_answer=lambda _: advance())
    if as_json:
        print_json(found._asdict())
    else:
        _print(name, judge or model, found)
    if found.in_vain:
        raise click.exceptions.Exit(1)


def _print(name: str, judge: str, found: Collected) -> None:
    stored = f" ({found.before:,} stored before)" if found.before else ""
    click.echo(f"{name}: {counted(found.answered, 'answer')} by model judge {judge}{stored}")
    cost = "" if found.cost is None else f", cost {found.cost:.4f}"
    click.echo(
        f"tokens: {found.prompt_tokens:,} in prompts, {found.answer_tokens:,} in answers{cost}"
    )
    if found.left:
        click.echo(f"{counted(found.left, 'item')} left; the same command goes on with them")
    if found.in_vain:
        click.echo(f"no answer to {counted(found.in_vain, 'item')}, to be asked again:", err=True)
        for problem in found.problems:
            click.echo(f"  {problem}", err=True)


def _parameters(given: tuple[str, ...]) -> dict[str, object]:
    import msgspec

    found: dict[str, object] = {}
    for one in given:
        key, equals, value = one.partition("=")
        try:
            found[key.strip()] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            # a plain word is a text, as on any command line
            found[key.strip()] = value
        if not equals or not key.strip():
            raise input_error(f"'{one}' is no parameter: write max_tokens=500", value=one)
        if key.strip() in ("model", "messages", "stream"):
            raise input_error(f"'{key.strip()}' cannot be set as a parameter", value=one)
    return found


def _prices(text: str) -> Prices | None:
    from jurat.model_judges import Prices

    if not text:
        return None
    try:
        prompt, answer = (float(part) for part in text.split(","))
    except ValueError:
        raise input_error(f"'{text}' does not give prices: write 0.5,1.5", value=text) from None
    return Prices(prompt, answer)

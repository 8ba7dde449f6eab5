"""The optional parts of Jurat: the modules that each extra brings, and which extra is missing."""

from __future__ import annotations

# Top-level modules by the extra in pyproject.toml whose packages bring them.
MODULES = {
    "web": (
        "alembic",
        "argon2",
        "babel",
        "httptools",
        "itsdangerous",
        "jinja2",
        "markdown_it",
        "markupsafe",
        "python_multipart",
        "segno",
        "sqlalchemy",
        "starlette",
        "uvicorn",
        "uvloop",
        "vl_convert",
    ),
    "metrics": ("numba", "Stemmer"),
    "postgres": ("psycopg",),
    "dask": ("dask", "distributed"),
}

PURPOSES = {
    "web": "campaigns, and judging in the browser",
    "metrics": "automatic metrics",
    "postgres": "campaigns on PostgreSQL",
    "dask": "work spread over several machines",
}


def missing_extra(error: BaseException | None) -> str | None:
    """The extra whose module could not be imported, or None if the error has another cause.

    Errors that were raised `from` the failed import count too: a registry that loads a module
    turns the failure into an error of its own.
    """
    while error is not None:
        if isinstance(error, ModuleNotFoundError):
            name = (error.name or "").partition(".")[0]
            return next((extra for extra, names in MODULES.items() if name in names), None)
        error = error.__cause__
    return None


def install(extra: str) -> str:
    """The command that installs an extra."""
    return f"pip install 'jurat[{extra}]'"

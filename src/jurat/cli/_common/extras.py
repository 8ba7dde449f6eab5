"""The extras of Jurat's package: what each is for, and which one a failed import lacks."""

from __future__ import annotations

# The top-level modules that each extra of pyproject.toml installs.
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
        "prometheus_client",
        "python_multipart",
        "segno",
        "sqlalchemy",
        "starlette",
        "structlog",
        "uvicorn",
        "uvloop",
    ),
    "figures": ("vl_convert",),
    "excel": ("xlsxwriter",),
    "metrics": ("numba", "Stemmer"),
    "pdf": ("typst",),
    "postgres": ("greenlet", "psycopg"),
    "dask": ("dask", "distributed"),
}

PURPOSES = {
    "web": "campaigns and judging in the browser",
    "figures": "figures as PNG, SVG and PDF",
    "excel": "results as Excel files",
    "metrics": "automatic metrics",
    "pdf": "reports as PDF",
    "postgres": "campaigns on PostgreSQL",
    "dask": "resampling on several machines",
}


def missing_extra(error: BaseException | None) -> str | None:
    """The extra whose module could not be imported; None if the error has another cause."""
    # a registry raises an error of its own from the failed import, which is then its cause
    while error is not None:
        if isinstance(error, ModuleNotFoundError):
            name = (error.name or "").partition(".")[0]
            return next((extra for extra, names in MODULES.items() if name in names), None)
        error = error.__cause__
    return None


def install(extra: str) -> str:
    """The command that installs an extra."""
    return f"pip install 'jurat[{extra}]'"

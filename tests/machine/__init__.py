"""The real parts that tests run against: a PostgreSQL server, a browser, Java."""


class Missing(Exception):
    """A part that this machine does not have; its words say how to get it."""

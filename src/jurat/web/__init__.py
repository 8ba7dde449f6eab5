"""The web application: the only package that speaks HTTP.

Pages are rendered here and work as plain forms; the scripts in `static` make the same pages quick.
"""

from jurat.web.app import create_app

__all__ = ["create_app"]

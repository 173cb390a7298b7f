"""Addresses of pages, made once: a page of times names twenty, and building one is slower than asking the database."""

from typing import Any

from flask import Flask, g, has_request_context, request
from flask.sessions import SecureCookieSessionInterface
from flask.templating import Environment

# How many are remembered before that begins anew.
MOST = 5_000
_PLAIN = (str, int)


class Cookies(SecureCookieSessionInterface):
    """Cookies signed as Flask signs them, but what signs with a key is made once for it, not twice a request."""

    _made: tuple[Any, Any] = (None, None)

    def get_signing_serializer(self, app: Flask) -> Any:
        """As Flask's."""
        keys = (app.secret_key, *(app.config["SECRET_KEY_FALLBACKS"] or ()))
        known, made = self._made
        if known != keys:
            made = super().get_signing_serializer(app)
            self._made = (keys, made)
        return made


class Templates(Environment):
    """Flask's, for templates that have no globals of their own: they share one plain dictionary."""

    def make_globals(self, d: Any) -> Any:
        """As Jinja's, whose two dictionaries laid over each other are walked name by name for each page."""
        return super().make_globals(d) if d else self.globals


class Desk(Flask):
    """Flask, but an address inside this server that was built before for the same plant is not built again."""

    session_interface = Cookies()
    jinja_environment = Templates

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.addresses: dict[Any, str] = {}

    def ensure_sync(self, func: Any) -> Any:
        """The function itself: no page here is a coroutine, so Flask need not look at each before each call."""
        return func

    def url_for(self, endpoint: str, **values: Any) -> str:
        """As Flask's. What is said of the scheme, an anchor or another server is asked of Flask each time."""
        given: list[Any] = []
        for name, value in values.items():
            if value is None:
                continue
            if name[0] == "_" or type(value) not in _PLAIN:
                return super().url_for(endpoint, **values)
            given += (name, value)
        if endpoint[0] == "." or not has_request_context():
            return super().url_for(endpoint, **values)
        plant = g.get("plant")
        key = (request.script_root, endpoint, plant.slug if plant is not None else "", *given)
        found = self.addresses.get(key)
        if found is None:
            if len(self.addresses) >= MOST:
                self.addresses.clear()
            found = self.addresses[key] = super().url_for(endpoint, **values)
        return found

"""A real SMTP server for tests: keeps what it accepts, refuses the addresses it is told to."""

import socket
from email import message_from_bytes
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller


class MailServer:
    """``with MailServer(refuse={"x@y"}) as server`` listens on 127.0.0.1 at ``server.port``."""

    def __init__(self, refuse: set[str] | None = None) -> None:
        self.refuse = refuse or set()
        self.accepted: list[Any] = []
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        if address in self.refuse:
            return "550 no such user here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.accepted.append(message_from_bytes(envelope.content, policy=default))
        return "250 accepted"

    def __enter__(self) -> "MailServer":
        self.controller.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.controller.stop()

# SPDX-License-Identifier: Apache-2.0
"""A client that looks at an answer while it arrives, and that can go away in the middle of it."""

import json
import select
import socket
import threading
import time
from http.client import parse_headers
from io import BytesIO

from weir_harness import PATIENCE_S, Answer, wait_until


def unchunked(data):
    """(payload, whether the last chunk came) of as much of a chunked body as is there."""
    payload = b""
    while b"\r\n" in data:
        line, _, rest = data.partition(b"\r\n")
        size = int(line, 16)
        if size == 0:
            return payload, rest.startswith(b"\r\n")
        payload += rest[:size]
        data = rest[size + 2 :]
    return payload, False


def request_bytes(path, body, headers=None):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: weir", f"Content-Length: {len(raw)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + raw


class RawClient:
    """A connection whose input is collected by a thread of its own, unless `reads` is False."""

    def __init__(self, port, reads=True):
        self.stream = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = b""
        self.ended_at = None
        self._stopping = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        if reads:
            self._reader.start()

    def _read(self):
        while not self._stopping.is_set():
            if not select.select([self.stream], [], [], 0.02)[0]:
                continue
            try:
                piece = self.stream.recv(1 << 18)
            except OSError:
                piece = b""
            self.data += piece
            if not piece:
                break
        self.ended_at = time.monotonic()

    def ask(self, path, body, headers=None):
        self.stream.sendall(request_bytes(path, body, headers))
        return self

    def send(self, data):
        self.stream.sendall(data)
        return self

    def has(self, text):
        return text in self.data

    def wait_for(self, text, patience_s=PATIENCE_S):
        wait_until(lambda: text in self.data or self.ended_at, f"{text!r}", patience_s)
        assert text in self.data, f"{text!r} is not in {self.data!r}"
        return self

    def is_answered(self):
        """An answer with its whole body is here."""
        return b"\r\n\r\n" in self.final() and self.answer().complete

    def wait_answer(self, patience_s=PATIENCE_S):
        """The answer, once it is whole or the server has closed."""
        wait_until(lambda: self.ended_at or self.is_answered(), "the answer", patience_s)
        return self.answer()

    def wait_end(self, patience_s=PATIENCE_S):
        """When the server closed."""
        return wait_until(lambda: self.ended_at, "the server's close", patience_s)

    def final(self):
        """What has come so far, without interim answers."""
        data = self.data
        while data.startswith(b"HTTP/1.1 100"):
            data = data.partition(b"\r\n\r\n")[2]
        return data

    def answer(self):
        """The first final answer in what has come so far."""
        head, _, body = self.final().partition(b"\r\n\r\n")
        line, _, fields = head.partition(b"\r\n")
        headers = parse_headers(BytesIO(fields + b"\r\n\r\n"))
        complete = len(body) == int(headers.get("Content-Length", "-1"))
        if headers.get("Transfer-Encoding") == "chunked":
            body, complete = unchunked(body)
        return Answer(int(line.split(b" ")[1]), headers, body, complete)

    def close(self):
        """Leaves for good: what still comes is answered by a reset."""
        self._stopping.set()
        if self._reader.is_alive():
            self._reader.join(PATIENCE_S)
        self.stream.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

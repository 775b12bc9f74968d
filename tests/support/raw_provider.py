# SPDX-License-Identifier: Apache-2.0
"""A provider of exact bytes: a TCP server that answers each request with the next step of a script.

weir-fake-provider plays a provider and goes wrong in ways it knows; this one sends whatever bytes a
test names, cut where the test says, and keeps what it was sent. A step is an Answer: segments, each
of them bytes, a Pause or a condition to wait for, and what becomes of the connection after them.
Every wait has a bound, and ends when the client closes."""

import contextlib
import fcntl
import json
import select
import socket
import struct
import termios
import threading
import time
from http.client import parse_headers
from io import BytesIO
from pathlib import Path

from weir_harness import PATIENCE_S, wait_until

# What becomes of the connection when a step has been played.
KEEP, FIN, RST, SILENT = "keep", "fin", "rst", "silent"


class Pause:
    """Seconds of silence, for what is about time itself."""

    def __init__(self, seconds):
        self.seconds = seconds


class Answer:
    """`apart`: the peer has read each segment before the next one is sent."""

    def __init__(self, *segments, end=KEEP, apart=False):
        self.segments = segments
        self.end = end
        self.apart = apart


class Request:
    """One request as it came; `at` is when its last byte was here."""

    def __init__(self, connection, head, body):
        self.connection = connection
        self.head = head
        self.body = body
        self.at = time.monotonic()
        self.line, _, fields = head.partition(b"\r\n")
        self.headers = parse_headers(BytesIO(fields))

    @property
    def target(self):
        return self.line.split(b" ")[1].decode()

    def json(self):
        return json.loads(self.body)


class Gone(Exception):
    """The client closed, or the provider stops."""


class Connection:
    """One accepted connection; `closed_at` is when the client's close was noticed, else None."""

    def __init__(self, stream, stopping):
        self.stream = stream
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.opened_at = time.monotonic()
        self.closed_at = None
        self.is_open = True
        self._stopping = stopping
        self._input = b""

    def _more(self, patience_s=None):
        """Adds what has come to the input; False where nothing came in time."""
        end = time.monotonic() + (patience_s or 0)
        while not self._stopping.is_set():
            left = end - time.monotonic()
            if patience_s is not None and left <= 0:
                return False
            wait = 0.05 if patience_s is None else min(left, 0.05)
            if not select.select([self.stream], [], [], wait)[0]:
                continue
            try:
                data = self.stream.recv(1 << 18)
            except ConnectionError:
                data = b""
            if not data:
                self.closed_at = time.monotonic()
                raise Gone
            self._input += data
            return True
        raise Gone

    def _take(self, size):
        while len(self._input) < size:
            self._more()
        taken, self._input = self._input[:size], self._input[size:]
        return taken

    def _take_through(self, mark):
        while mark not in self._input:
            self._more()
        return self._take(self._input.index(mark) + len(mark))

    def read_request(self):
        head = self._take_through(b"\r\n\r\n")
        fields = parse_headers(BytesIO(head.partition(b"\r\n")[2]))
        if fields.get("Transfer-Encoding", "").lower() != "chunked":
            return Request(self, head, self._take(int(fields.get("Content-Length", "0"))))
        body = b""
        while size := int(self._take_through(b"\r\n"), 16):
            body += self._take(size + 2)[:-2]
        return Request(self, head, body + self._take_through(b"\r\n")[:-2])

    def watch(self, seconds):
        """Silence, in which the client may close."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._more(end - time.monotonic())

    def wait(self, condition):
        end = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"the script waited {PATIENCE_S:.0f} s in vain")
            self._more(0.0005)

    def is_read(self):
        """The peer's program has taken everything that was sent. Linux only."""
        unsent = struct.unpack("i", fcntl.ioctl(self.stream, termios.TIOCOUTQ, b"\0" * 4))[0]
        if unsent:
            return False
        ours, theirs = (
            f"{at[1]:04X}" for at in (self.stream.getsockname(), self.stream.getpeername())
        )
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            local, remote, _, queues = line.split()[1:5]
            if local.endswith(":" + theirs) and remote.endswith(":" + ours):
                return queues.endswith(":00000000")
        return True

    def play(self, answer):
        for segment in answer.segments:
            if isinstance(segment, bytes):
                self.stream.sendall(segment)
                if answer.apart:
                    self.wait(self.is_read)
            elif isinstance(segment, Pause):
                self.watch(segment.seconds)
            else:
                self.wait(segment)
        if answer.end == RST:
            self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif answer.end == FIN:
            self.stream.shutdown(socket.SHUT_WR)
            self.watch(PATIENCE_S)
        elif answer.end == SILENT:
            self.watch(float("inf"))
        return answer.end == KEEP


class RawProvider:
    """Listens on a free port. Each request takes a step of play(); the last one is repeated."""

    def __init__(self, *steps):
        self._lock = threading.Lock()
        self._steps = []
        self._requests = []
        self._connections = []
        self._threads = []
        self._failures = []
        self._stopping = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self._listener.getsockname()[1]
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()
        self.play(*steps)

    def play(self, *steps):
        """A new script, and nothing seen yet. A step may be a function of the request."""
        with self._lock:
            self._steps = list(steps)
            self._requests = []
            self._connections = [each for each in self._connections if each.is_open]
        return self

    @property
    def requests(self):
        with self._lock:
            return list(self._requests)

    @property
    def connections(self):
        with self._lock:
            return list(self._connections)

    def wait_requests(self, count=1):
        return wait_until(
            lambda: self.requests if len(self.requests) >= count else None, f"{count} requests"
        )

    def wait_closed(self, request, patience_s=PATIENCE_S):
        """When the client closed the connection of `request`."""
        return wait_until(lambda: request.connection.closed_at, "the client's close", patience_s)

    def _accept(self):
        while not self._stopping.is_set():
            try:
                stream, _ = self._listener.accept()
            except OSError:
                return
            connection = Connection(stream, self._stopping)
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            with self._lock:
                self._connections.append(connection)
                self._threads.append(thread)
            thread.start()

    def _next(self, request):
        with self._lock:
            self._requests.append(request)
            assert self._steps, f"nothing to answer {request.line} with"
            return self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]

    def _serve(self, connection):
        try:
            with contextlib.closing(connection.stream):
                more = True
                while more:
                    request = connection.read_request()
                    step = self._next(request)
                    more = connection.play(step(request) if callable(step) else step)
        except (Gone, OSError):
            if connection.closed_at is None:
                connection.closed_at = time.monotonic()
        except Exception as failure:  # pylint: disable=broad-except
            self._failures.append(failure)
        finally:
            connection.is_open = False

    def stop(self):
        self._stopping.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.stream.shutdown(socket.SHUT_RDWR)
        for thread in [self._acceptor, *self._threads]:
            thread.join(PATIENCE_S)
        if self._failures:
            raise self._failures[0]


def head(status=200, content_type="application/json", headers=(), length=None, chunked=False):
    lines = [f"HTTP/1.1 {status} Scripted", f"Content-Type: {content_type}"]
    lines += [f"{name}: {value}" for name, value in dict(headers).items()]
    lines += [f"Content-Length: {length}"] if length is not None else []
    lines += ["Transfer-Encoding: chunked"] if chunked else []
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


LAST_CHUNK = b"0\r\n\r\n"


def whole(body, status=200, content_type="application/json", headers=(), end=KEEP):
    """A body of known length: JSON where it is not bytes."""
    raw = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
    return Answer(head(status, content_type, headers, len(raw)), raw, end=end)


def sse(
    events, framing="chunked", complete=True, end=None, line_end=b"\n", headers=(), apart=False
):
    """A stream of events, each a segment (and a chunk) of its own. What is not bytes among them, a
    Pause or a condition, stays between them. `complete` = False leaves the framing without its end;
    `framing` is chunked, length or close."""
    parts = [each.replace(b"\n", line_end) if isinstance(each, bytes) else each for each in events]
    size = sum(len(each) for each in parts if isinstance(each, bytes))
    if not complete:
        size += 100
    if framing == "chunked":
        parts = [chunk(each) if isinstance(each, bytes) else each for each in parts]
        parts += [LAST_CHUNK] if complete else []
    first = head(
        content_type="text/event-stream",
        headers=headers,
        length=size if framing == "length" else None,
        chunked=framing == "chunked",
    )
    usual = KEEP if complete and framing != "close" else FIN
    return Answer(first, *parts, end=end or usual, apart=apart)


def bytewise(answer):
    """The same bytes; where a segment has more than ASCII, one a segment, each read alone."""
    segments = []
    for each in answer.segments:
        plain = not isinstance(each, bytes) or each.isascii()
        segments += [each] if plain else [each[at : at + 1] for at in range(len(each))]
    return Answer(*segments, end=answer.end, apart=True)

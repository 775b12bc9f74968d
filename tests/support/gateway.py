# SPDX-License-Identifier: Apache-2.0
"""A relay before a server, by which a test takes the network away and gives it back. One for each
agent, so that half of a fleet can be cut off. All relays run on one thread of their own."""

import asyncio
import contextlib
import socket
import struct
import threading

from private_server import fixed_port

CHUNK = 1 << 16
RESET = struct.pack("ii", 1, 0)


class Gateway:
    """Relays 127.0.0.1:`port` to the server's port. Verbs may be called from any thread, return when
    the network is as they say, and hold until the next verb:

    relay()       bytes pass
    slow(ms)      each piece of the server's answers comes so much later
    refuse()      nobody listens, and what was connected is reset
    black_hole()  connections stay and are accepted, and no byte passes either way, nor a close. What
                  was sent meanwhile arrives when the hole closes, as a retransmission would: an order
                  that its sender has long given up may still be carried out
    cut()         resets what is connected, once

    `accepted`, `up_bytes` (to the server) and `down_bytes` only grow."""

    _loop = None
    _guard = threading.Lock()

    def __init__(self, server_port):
        with Gateway._guard:
            if Gateway._loop is None:
                Gateway._loop = asyncio.new_event_loop()
                threading.Thread(target=Gateway._loop.run_forever, daemon=True).start()
        self.server_port = server_port
        self.port = fixed_port()
        self.accepted = self.up_bytes = self.down_bytes = 0
        self._delay_s = 0.0
        self._listener = None
        self._tasks = set()
        self._open = asyncio.Event()
        self._open.set()
        self.relay()

    def relay(self):
        self._set(0.0, True, True)

    def slow(self, ms):
        self._set(ms / 1000, True, True)

    def refuse(self):
        self._set(0.0, True, False)

    def black_hole(self):
        self._set(0.0, False, True)

    def cut(self):
        self._do(self._cut())

    def close(self):
        """Away for good."""
        self.refuse()

    def connections(self):
        return len(self._tasks)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _do(self, work):
        return asyncio.run_coroutine_threadsafe(work, Gateway._loop).result(10)

    def _set(self, delay_s, is_open, listens):
        self._do(self._change(delay_s, is_open, listens))

    async def _change(self, delay_s, is_open, listens):
        self._delay_s = delay_s
        if not listens:
            if self._listener:
                self._listener.cancel()
                await asyncio.gather(self._listener, return_exceptions=True)
                self._listener = None
            await self._cut()
        if is_open:
            self._open.set()
        else:
            self._open.clear()
        if listens and not self._listener:
            listener = socket.socket()
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.setblocking(False)
            listener.bind(("127.0.0.1", self.port))
            listener.listen(64)
            self._listener = asyncio.create_task(self._accept(listener))

    async def _cut(self):
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept(self, listener):
        loop = asyncio.get_running_loop()
        with listener:
            while True:
                client, _ = await loop.sock_accept(listener)
                self.accepted += 1
                task = asyncio.create_task(self._serve(client))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _serve(self, client):
        loop = asyncio.get_running_loop()
        with client, socket.socket() as server:
            pumps = []
            for end in (client, server):
                end.setblocking(False)
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                await self._open.wait()
                await loop.sock_connect(server, ("127.0.0.1", self.server_port))
                pumps = [
                    asyncio.create_task(self._pump(client, server, True)),
                    asyncio.create_task(self._pump(server, client, False)),
                ]
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            except (OSError, asyncio.CancelledError):
                for end in (client, server):
                    with contextlib.suppress(OSError):
                        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)

    async def _pump(self, source, sink, is_up):
        loop = asyncio.get_running_loop()
        while True:
            try:
                data = await loop.sock_recv(source, CHUNK)
            except OSError:
                data = b""
            await self._open.wait()
            if not data:
                return
            if self._delay_s and not is_up:
                await asyncio.sleep(self._delay_s)
            await loop.sock_sendall(sink, data)
            if is_up:
                self.up_bytes += len(data)
            else:
                self.down_bytes += len(data)

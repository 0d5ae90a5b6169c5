"""The three pipes of a running agent, none of which can make us wait for it."""

import codecs
import os
import selectors
import subprocess
from typing import IO

_CHUNK = 65_536  # bytes: what a pipe holds


class Capture:
    """The first bytes of one output stream, up to a limit."""

    def __init__(self, limit: int) -> None:
        """Keep at most `limit` bytes."""
        self._limit = limit
        self._data = bytearray()
        self.overflowed = False

    def add(self, data: bytes) -> None:
        """Take in what was read, and note what is too much."""
        room = self._limit - len(self._data)
        self._data += data[:room]
        self.overflowed = self.overflowed or len(data) > room

    def text(self, *, complete: bool) -> str:
        """Return the output as text, bad UTF-8 replaced; one cut in two at the limit or deadline is left out."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        return decoder.decode(bytes(self._data), final=complete and not self.overflowed)


class Streams:
    """Feeds the prompt and reads both outputs, as far as the pipes allow at the moment."""

    def __init__(self, process: "subprocess.Popen[bytes]", prompt: bytes, limit: int) -> None:
        """Take over the pipes of `process`."""
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("all three streams of the process must be pipes")
        self.stdout, self.stderr = Capture(limit), Capture(limit)
        self._prompt = memoryview(prompt)
        self._selector = selectors.DefaultSelector()
        self._captures: dict[IO[bytes], Capture] = {process.stdout: self.stdout, process.stderr: self.stderr}
        self._input = process.stdin
        for pipe in (process.stdin, *self._captures):
            os.set_blocking(pipe.fileno(), False)
        self._selector.register(process.stdin, selectors.EVENT_WRITE)
        for pipe in self._captures:
            self._selector.register(pipe, selectors.EVENT_READ)

    @property
    def overflowed(self) -> bool:
        """Whether more came than is kept."""
        return self.stdout.overflowed or self.stderr.overflowed

    @property
    def ended(self) -> bool:
        """Whether nothing more can come."""
        return not any(pipe in self._captures for pipe in self._open_pipes())

    def _open_pipes(self) -> list[object]:
        return [key.fileobj for key in self._selector.get_map().values()]

    def move(self, seconds: float) -> bool:
        """Move what can be moved, waiting `seconds` at most for the first of it; return whether anything was."""
        ready = self._selector.select(max(seconds, 0))
        for key, _ in ready:
            if key.fileobj is self._input:
                self._feed()
            else:
                self._read(key.fileobj)  # type: ignore[arg-type]
        return bool(ready)

    def _feed(self) -> None:
        try:
            written = os.write(self._input.fileno(), self._prompt[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:
            written = len(self._prompt)  # the agent does not want it: that is its right
        self._prompt = self._prompt[written:]
        if not self._prompt:
            self._close(self._input)

    def _read(self, pipe: IO[bytes]) -> None:
        try:
            data = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return
        if data:
            self._captures[pipe].add(data)
        else:
            self._close(pipe)

    def _close(self, pipe: IO[bytes]) -> None:
        self._selector.unregister(pipe)
        os.set_blocking(pipe.fileno(), True)
        pipe.close()

    def drain(self) -> None:
        """Read what the pipes still hold; nobody is waited for."""
        while not self.ended and not self.overflowed and self.move(0):
            pass

    def close(self) -> None:
        """Let go of all pipes."""
        for pipe in self._open_pipes():
            self._close(pipe)  # type: ignore[arg-type]
        self._selector.close()

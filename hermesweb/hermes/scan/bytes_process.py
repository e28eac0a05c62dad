"""The process that looks at bytes. It never has an SQLite connection: opening and closing a database as a plain
file in a process that has one drops that process's locks."""

import resource

from hermesweb.hermes.scan.asked import receive
from hermesweb.hermes.scan.events import End, say
from hermesweb.hermes.scan.looking import Looking
from hermesweb.hermes.scan.needles import needles_of

MEMORY = 1 << 30
"""Bytes of address space: an archive that wants more is damaged. In use are a few dozen megabytes."""


def main() -> None:
    """Reads what is asked, says what it finds."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    asked = receive()
    Looking(asked, [needles_of(phrase) for phrase in asked.phrases], say).look()
    say(End())


if __name__ == "__main__":
    main()

"""Which processes are ours: what they hold open does not mean that Hermes is running."""

import os

import psutil


def ours() -> frozenset[int]:
    """This process, the one that started it, and everything they started."""
    try:
        top = psutil.Process(os.getppid()) if os.getppid() > 1 else psutil.Process()
        return frozenset({os.getpid(), top.pid, *(child.pid for child in top.children(recursive=True))})
    except psutil.Error:
        return frozenset({os.getpid()})

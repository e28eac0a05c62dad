"""Runs inside the real Hermes: the blocks its MemoryStore makes for many homes. Started by test_prompt_interop.

memory_prompt_oracle.py CASES.json ANSWERS.json
"""

import json
import logging
import os
import sys
from pathlib import Path


def main(cases, answers):
    from tools.memory_tool import MemoryStore

    logging.disable(logging.CRITICAL)
    found = []
    for number, case in enumerate(json.loads(Path(cases).read_text())):
        home = Path(os.environ["HOME"]) / f"home-{number}"
        os.environ["HERMES_HOME"] = str(home)
        (home / "memories").mkdir(parents=True)
        for name, content in case["files"].items():
            (home / "memories" / name).write_bytes(content.encode("utf-8", "surrogateescape"))
        store = MemoryStore(memory_char_limit=case["limits"][0], user_char_limit=case["limits"][1])
        try:
            store.load_from_disk()
        except UnicodeDecodeError:
            found.append([None, None])
            continue
        found.append([store.format_for_system_prompt(target) for target in ("memory", "user")])
    Path(answers).write_text(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])

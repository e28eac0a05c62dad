"""Runs inside the real Hermes: what it makes of many configurations. Started by test_settings_interop.

memory_settings_oracle.py CONFIGS.json ANSWERS.json
"""

import contextlib
import functools
import io
import json
import logging
import os
import ssl
import sys
from pathlib import Path


def main(configs, answers):
    logging.disable(logging.CRITICAL)
    found = []
    for number, config in enumerate(json.loads(Path(configs).read_text())):
        home = Path(os.environ["HOME"]) / f"home-{number}"
        os.environ["HERMES_HOME"] = str(home)
        (home / "memories").mkdir(parents=True)
        (home / "memories" / "MEMORY.md").write_text("one")
        (home / "config.yaml").write_text(config)
        with contextlib.redirect_stdout(io.StringIO()):
            found.append(measure())
    Path(answers).write_text(json.dumps(found))


def measure():
    import run_agent
    from hermes_cli.config import load_config
    from tools.write_approval import write_approval_enabled

    agent = run_agent.AIAgent(
        base_url="http://127.0.0.1:9/v1", api_key="x", model="m", quiet_mode=True, enabled_toolsets=[]
    )
    loads = agent._memory_store is not None
    return {
        "interval": agent._memory_nudge_interval if loads else None,
        "loads": loads,
        "tool": tool(load_config()),
        "approval": [write_approval_enabled("memory"), write_approval_enabled("skills")],
        "review": None,
    }


def tool(config):
    """Whether the command line would offer the memory tool; None when it stops with an error."""
    import model_tools
    from hermes_cli.tools_config import _get_platform_tools

    disabled = (config.get("agent") or {}).get("disabled_toolsets") or None
    try:
        chosen = _get_platform_tools(config, "cli")
        tools = model_tools.get_tool_definitions(disabled_toolsets=disabled, quiet_mode=True)
    except TypeError:
        return None
    return "memory" in chosen and "memory" in {each["function"]["name"] for each in tools}


if __name__ == "__main__":
    # A session makes nine TLS contexts; they take most of its start.
    ssl.create_default_context = functools.lru_cache(ssl.create_default_context)
    main(*sys.argv[1:])

"""Runs single definitions of a trainer's module, unchanged, where the module as a whole needs torch."""

import ast
import sysconfig
from pathlib import Path

packages = Path(sysconfig.get_path("purelib"))


def definitions(module: str, *names: str, **given):
    """What `names` are in that file of an installed package; `given` is what they name in turn."""
    file = packages / module
    nodes = [node for node in ast.parse(file.read_text()).body if getattr(node, "name", None) in names]
    missing = set(names) - {node.name for node in nodes}
    if missing:
        raise LookupError(f"{module} has no {', '.join(sorted(missing))}")
    scope = dict(given)
    exec(compile(ast.Module(nodes, []), str(file), "exec"), scope)
    return [scope[name] for name in names]

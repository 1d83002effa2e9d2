"""The lines of an export, in the order of the file."""

import json


def lines(file: str) -> list[dict]:
    with open(file) as text:
        return [json.loads(line) for line in text]


def columns(rows: list[dict]) -> dict[str, list]:
    return {name: [row[name] for row in rows] for name in rows[0]}

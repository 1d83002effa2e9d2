"""The tool of every client, and what they are asked."""

QUESTION = "What is 19 + 23?"

PARAMETERS = {
    "type": "object",
    "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}


def add(a: float, b: float) -> str:
    """Adds two numbers.

    Args:
        a: one number
        b: the other
    """
    return str(a + b)

"""The policy: a recurrent network over twenty words, and its vocabulary, which gateway and server share."""

from __future__ import annotations

import json
from pathlib import Path

import torch

SPECIAL = ["<|end|>", "<|user|>", "<|assistant|>", "<|tool|>"]
CALL, CALLED, TOOL = "<tool_call>", "</tool_call>", "search"
#: Where something can be hidden, and what is heard of it elsewhere.
CLUES = {"cellar": "cold", "garden": "green", "kitchen": "warm", "tower": "high"}
WORDS = [*SPECIAL, CALL, CALLED, TOOL, *CLUES, *CLUES.values(), "find", "it", "[UNK]"]
IDS = {word: at for at, word in enumerate(WORDS)}
END = IDS["<|end|>"]

TEMPLATE = """\
{%- for message in messages -%}
<|{{ message.role }}|> {{ message.content or '' }}
{%- for call in message.tool_calls or [] %} <tool_call> search {{ call.function.arguments.place }} </tool_call>{% endfor -%}
<|end|>
{%- endfor -%}
{%- if add_generation_prompt %}<|assistant|>{% endif -%}
"""


class Policy(torch.nn.Module):
    def __init__(self, seed: int) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.embed = torch.nn.Embedding(len(WORDS), 32)
        self.remember = torch.nn.GRU(32, 64, batch_first=True)
        self.choose = torch.nn.Linear(64, len(WORDS))

    def forward(self, ids: torch.Tensor, state: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms of each next word's probability, for ids of the shape [batch, length], and the state."""
        found, state = self.remember(self.embed(ids), state)
        return self.choose(found).log_softmax(-1), state


def imitate(policy: Policy, steps: int = 150) -> None:
    """Teaches the form of a tool call, and nothing about what a clue means."""
    optimizer = torch.optim.Adam(policy.parameters(), 0.01)
    for _ in range(steps):
        lines = [_random_game() for _ in range(32)]
        ids = torch.tensor([[IDS[word] for word in line] for line in lines])
        is_sampled = torch.tensor([_sampled(line) for line in lines])
        chosen = policy(ids[:, :-1])[0].gather(-1, ids[:, 1:, None])[..., 0]
        loss = -chosen[is_sampled[:, 1:]].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def _random_game() -> list[str]:
    words = ["<|user|>", "find", "it", "<|end|>"]
    for place, clue in zip(torch.randint(len(CLUES), (2,)), torch.randint(len(CLUES), (2,))):
        words += ["<|assistant|>", CALL, TOOL, list(CLUES)[place], CALLED, "<|end|>"]
        words += ["<|tool|>", list(CLUES.values())[clue], "<|end|>"]
    return words


def _sampled(words: list[str]) -> list[bool]:
    speakers = [at for at, word in enumerate(words) if word == "<|assistant|>"]
    return [any(start < at <= start + 5 for start in speakers) for at in range(len(words))]


def write_tokenizer(folder: Path) -> None:
    """Writes what the gateway renders prompts with."""
    folder.mkdir(parents=True, exist_ok=True)
    added = [
        {"id": IDS[word], "content": word, "special": True}
        | dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized"], False)
        for word in SPECIAL
    ]
    model = {"type": "WordPiece", "vocab": IDS, "unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    whole = {"version": "1.0", "added_tokens": added, "pre_tokenizer": {"type": "WhitespaceSplit"}}
    whole |= dict.fromkeys(["normalizer", "post_processor", "decoder", "truncation", "padding"])
    (folder / "tokenizer.json").write_text(json.dumps(whole | {"model": model}))
    (folder / "tokenizer_config.json").write_text(json.dumps({"eos_token": "<|end|>", "unk_token": "[UNK]"}))
    (folder / "chat_template.jinja").write_text(TEMPLATE)

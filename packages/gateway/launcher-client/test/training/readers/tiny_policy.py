"""A policy of random weights, for one real step on the processor."""

import torch
from transformers import Qwen2Config, Qwen2ForCausalLM


def model():
    """The same weights each time, for ids below 2 ** 16."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
    return Qwen2ForCausalLM(Qwen2Config(vocab_size=2**16, **sizes, **heads))


def changed(before, after) -> int:
    """How many rows of the embedding a step has moved."""
    return int((before.get_input_embeddings().weight != after.get_input_embeddings().weight).any(dim=1).sum())

"""The model server: answers chat completions as vLLM does, with token ids in and out.

`server.py FOLDER --port 9000` writes the tokenizer to FOLDER, and the weights to FOLDER/policy.pt, which it loads again
when it is asked to (`POST /v1/load_weights`).
"""

from __future__ import annotations

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any

import torch

from policy import CALL, CALLED, CLUES, END, Policy, TOOL, WORDS, imitate, write_tokenizer


class Engine:
    def __init__(self, folder: Path, seed: int) -> None:
        torch.set_num_threads(1)
        self._weights = folder / "policy.pt"
        self._policy = Policy(seed)
        self._lock = Lock()
        imitate(self._policy)
        write_tokenizer(folder)
        torch.save(self._policy.state_dict(), self._weights)

    def load(self) -> None:
        with self._lock:
            self._policy.load_state_dict(torch.load(self._weights))

    @torch.no_grad()
    def sample(self, prompt: list[int], seed: int, max_tokens: int) -> tuple[list[int], list[float]]:
        random = torch.Generator().manual_seed(seed)
        ids: list[int] = []
        logprobs: list[float] = []
        with self._lock:
            found, state = self._policy(torch.tensor([prompt]))
            while len(ids) < max_tokens and END not in ids:
                last = found[0, -1]
                chosen = int(torch.multinomial(last.exp(), 1, generator=random))
                ids.append(chosen)
                logprobs.append(last[chosen].item())
                found, state = self._policy(torch.tensor([[chosen]]), state)
        return ids, logprobs


def parse(words: list[str]) -> dict[str, Any]:
    """The message that these words are: a call of the tool if they have its form, else text."""
    match words:
        case [start, name, place, end, "<|end|>"] if (start, name, end) == (CALL, TOOL, CALLED) and place in CLUES:
            called = {"name": TOOL, "arguments": json.dumps({"place": place})}
            return {"tool_calls": [{"index": 0, "id": "call", "type": "function", "function": called}]}
        case _:
            return {"content": " ".join(word for word in words if word != "<|end|>")}


def chunks(engine: Engine, asked: dict[str, Any]) -> list[dict[str, Any]]:
    prompt = asked["kv_transfer_params"]["prompt_token_ids"]
    ids, logprobs = engine.sample(prompt, asked.get("seed", 0), asked.get("max_tokens", 16))
    words = [WORDS[each] for each in ids]
    delta = parse(words)
    finish = ("tool_calls" if "tool_calls" in delta else "stop") if ids[-1] == END else "length"
    content = [{"token": word, "logprob": each} for word, each in zip(words, logprobs)]
    choice = {"index": 0, "delta": delta, "token_ids": ids, "logprobs": {"content": content}, "finish_reason": finish}
    usage = {"prompt_tokens": len(prompt), "completion_tokens": len(ids), "total_tokens": len(prompt) + len(ids)}
    head = {"id": "chatcmpl-policy", "object": "chat.completion.chunk", "created": 0, "model": asked["model"]}
    return [
        head | {"choices": [choice], "prompt_token_ids": prompt},
        head | {"choices": [], "usage": usage},
    ]


def handler(engine: Engine) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            if self.path == "/v1/load_weights":
                engine.load()
                return self._answer(200, "application/json", "{}")
            if self.path != "/v1/chat/completions":
                return self._answer(404, "application/json", "{}")
            said = [json.dumps(chunk) for chunk in chunks(engine, json.loads(body))]
            events = "".join(f"data: {each}\n\n" for each in [*said, "[DONE]"])
            self._answer(200, "text/event-stream", events)

        def _answer(self, status: int, kind: str, text: str) -> None:
            body = text.encode()
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--port", type=int, default=9000)
    reader.add_argument("--seed", type=int, default=0)
    given = reader.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", given.port), handler(Engine(given.folder, given.seed)))
    server.daemon_threads = True
    print(f"serving on http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()


main()

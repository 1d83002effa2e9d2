import assert from "node:assert/strict";
import { endpointsByName, readRequestBody } from "@proj/model-apis";

const api = endpointsByName.chat_completions;
const request = readRequestBody(
  Buffer.from('{"model":"policy","stream":true,"messages":[{"role":"user","content":"Hello"}]}'),
  api.history,
);
assert.equal(request.model, "policy");
assert.equal(request.stream, true);

// The stream that its answer comes as, and what a reader finds in it while it passes.
const answer = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_767_225_600,
  model: "policy",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Hi." },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
};
const stream = api.writeStream?.(answer).join("") ?? "";
const reader = api.openStream?.({ assemble: true, maxBytes: 1_048_576 });
assert(reader !== undefined);
const passedOn = reader.push(Buffer.from(stream));
assert(!Buffer.concat(passedOn).includes("[DONE]"), "the terminal event is withheld");
reader.end();
assert.equal(reader.complete, true);
assert.equal(reader.facts().completion_tokens, 2);
assert.deepEqual(JSON.parse(String(reader.facts().text)), answer);

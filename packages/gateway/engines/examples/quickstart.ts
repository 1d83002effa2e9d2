import assert from "node:assert/strict";
import { Continuity, type Renderer, wholePrompt } from "@proj/engines";

// A vocabulary of characters, and a template that ends each turn with a line. For a real model:
// new LocalRenderer(await readTokenizerFolder("/models/policy"))
const ids = (text: string) => Int32Array.from(text, (character) => character.charCodeAt(0));
const renderer: Renderer = {
  render: async ({ messages }) => ids(messages.map(({ content }) => `${content}\n`).join("")),
  renderAdded: async ({ messages }) => ids(messages.map(({ content }) => `${content}\n`).join("")),
};
const session = new Continuity({ thinking: "kept" });
const ask = (
  messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[],
) => session.prompt({ messages, tools: null, variables: {} }, renderer);

const question = { role: "user", content: "Look up a." } as const;
const first = await ask([question]);
assert.deepEqual(first.origin, { made: "rendered", reason: null });

// What the engine sampled, its last token included.
session.add(
  "request 1",
  first,
  { role: "assistant", content: " I look." },
  ids(" I look.\n"),
  null,
);

// The agent trims the answer that it sends back. The model still sees what it sampled.
const answer = { role: "assistant", content: "I look." } as const;
const second = await ask([question, answer, { role: "user", content: "And?" }]);
assert.deepEqual(second.origin, { made: "continued", step: "request 1" });
assert.deepEqual(wholePrompt(second.ids), ids("Look up a.\n I look.\nAnd?\n"));

import { objectRules } from "../streams/assembly-rules.ts";
import type { ChoiceForm } from "../streams/choice-assembly.ts";

const functionRules = objectRules("last", { name: "name", arguments: "text" });

const toolCallRules = objectRules("last", {
  index: "omitted",
  id: "first",
  function: { object: functionRules },
  custom: { object: objectRules("last", { name: "name", input: "text" }) },
});

const audioRules = objectRules("last", { id: "first", data: "base64", transcript: "text" });

const reasoningDetailRules = objectRules("last", {
  id: "first",
  text: "text",
  summary: "text",
  data: "text",
});

const textRules = objectRules("last", { type: "first", text: "text" });

const partRules = objectRules("last", {
  type: "first",
  text: "text",
  thinking: { content: textRules },
});

const thinkingRules = objectRules("last", { type: "first", thinking: "text", signature: "real" });

/** Where LiteLLM moves an engine's token ids. */
const movedRules = objectRules("last", { token_ids: "list", prompt_token_ids: "first" });

const messageRules = objectRules(
  "list",
  {
    role: "first",
    content: { content: partRules },
    refusal: "text",
    reasoning_content: "text",
    reasoning: "text",
    reasoning_details: { entries: reasoningDetailRules, told: "type" },
    tool_calls: { entries: toolCallRules, told: "calls" },
    // LiteLLM sends a block for every piece.
    thinking_blocks: { content: thinkingRules },
    function_call: { object: functionRules },
    audio: { object: audioRules },
    provider_specific_fields: { object: movedRules },
  },
  ["role", "content"],
);

const choiceRules = objectRules(
  "list",
  {
    index: "first",
    delta: { object: messageRules, name: "message" },
    // Some upstreams send the accumulated message beside each delta.
    message: "omitted",
    logprobs: { object: objectRules("last", { content: "list", refusal: "list" }) },
    finish_reason: "real",
    provider_specific_fields: { object: movedRules },
  },
  ["index", "delta", "finish_reason"],
);

const completionRules = objectRules("last", {
  id: "first",
  object: "first",
  // Azure's last chunks have neither.
  created: "real",
  model: "real",
  choices: { entries: choiceRules },
  prompt_token_ids: "first",
  obfuscation: "omitted",
  error: "omitted",
});

/** The completion that the chunks of a stream add up to. */
export const chatForm: ChoiceForm = {
  object: "chat.completion",
  rules: completionRules,
  // The role if the upstream gave none.
  choice: { delta: { role: "assistant" } },
};

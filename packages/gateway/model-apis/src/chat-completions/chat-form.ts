import { objectRules } from "../streams/assembly-rules.ts";
import type { ChoiceForm } from "../streams/choice-assembly.ts";

const functionRules = objectRules("last", { name: "first", arguments: "text" });

const toolCallRules = objectRules("last", {
  index: "omitted",
  id: "first",
  function: { object: functionRules },
  custom: { object: objectRules("last", { name: "first", input: "text" }) },
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

const messageRules = objectRules(
  "list",
  {
    role: "first",
    content: { content: partRules },
    refusal: "text",
    reasoning_content: "text",
    reasoning: "text",
    reasoning_details: { entries: reasoningDetailRules, splitByType: true },
    tool_calls: { entries: toolCallRules },
    function_call: { object: functionRules },
    audio: { object: audioRules },
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
    finish_reason: "last",
  },
  ["index", "delta", "finish_reason"],
);

const completionRules = objectRules("last", {
  id: "first",
  object: "first",
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

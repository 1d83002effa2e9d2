import { objectRules } from "../streams/assembly-rules.ts";
import type { ChoiceForm } from "../streams/choice-assembly.ts";

const choiceRules = objectRules(
  "list",
  {
    index: "first",
    text: "text",
    logprobs: { object: objectRules("list", {}) },
    finish_reason: "real",
    prompt_token_ids: "first",
  },
  ["index", "text", "logprobs", "finish_reason"],
);

/** The completion that the chunks of a stream add up to. */
export const completionForm: ChoiceForm = {
  object: "text_completion",
  rules: objectRules("last", {
    id: "first",
    object: "first",
    created: "real",
    model: "real",
    choices: { entries: choiceRules },
    prompt_token_ids: "first",
    error: "omitted",
  }),
  // The text if none came.
  choice: { text: "" },
};

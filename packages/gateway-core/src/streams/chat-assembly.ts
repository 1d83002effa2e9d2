import { AssembledObject } from "./assembled-object.ts";
import { objectRules } from "./assembly-rules.ts";
import { CaptureBudget } from "./capture-budget.ts";
import type { JsonObject } from "./exact-json.ts";

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

const messageRules = objectRules(
  "list",
  {
    role: "first",
    content: "text",
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
    // Some upstreams send the message so far beside each delta.
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

/** Builds, from the chunks of a chat stream, the completion that the request without `stream` would have given. */
export class ChatAssembly {
  readonly #budget: CaptureBudget;
  readonly #completion: AssembledObject;
  #came = false;

  constructor(maxBytes: number) {
    const budget = new CaptureBudget(maxBytes);
    this.#budget = budget;
    this.#completion = new AssembledObject(completionRules, budget);
    this.#completion.add({ object: "chat.completion", choices: [] }, 0, false);
  }

  /** Something was left out for want of room. */
  get truncated(): boolean {
    return this.#budget.exceeded;
  }

  add(chunk: JsonObject, eventBytes: number): void {
    this.#came = true;
    this.#completion.add(chunk, eventBytes, false);
  }

  /** The completion so far as JSON, UTF-8; null where no chunk came. */
  text(choiceIndexes: Iterable<number>): Uint8Array | null {
    if (!this.#came) return null;
    // The role where the upstream gave none.
    const choices = Array.from(choiceIndexes, (index) => ({ index, delta: { role: "assistant" } }));
    this.#completion.add({ choices }, 0, false);
    return Buffer.from(this.#completion.json());
  }
}

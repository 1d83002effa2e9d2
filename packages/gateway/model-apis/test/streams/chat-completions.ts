import fc from "fast-check";

type Json = Record<string, unknown>;

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly refusal: string | null;
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly tool_calls?: readonly Json[];
  readonly audio?: { id: string; data: string; transcript: string; expires_at: number };
  readonly annotations?: readonly Json[];
  readonly reasoning_details?: readonly {
    type: string;
    index: number;
    text: string;
    signature: string;
  }[];
  readonly provider_note?: string;
}

export interface Choice {
  readonly index: number;
  readonly message: Message;
  readonly logprobs: { readonly content: Json[] | null; readonly refusal: Json[] | null } | null;
  readonly finish_reason: string;
  readonly token_ids?: readonly number[];
  readonly stop_reason?: string | number | null;
}

export interface Completion {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly Choice[];
  readonly usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  readonly prompt_token_ids?: readonly number[];
}

/**
 * Texts with everything that can go wrong at a cut: multi-byte characters, surrogate pairs, escapes, lines
 * like events.
 */
export const texts: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom("data: [DONE]\n\n", '{"finish_reason":"stop"}', "\r\n\r\n", '\u2028😀é\\"', ""),
);

const logprob = fc.record({
  token: texts,
  logprob: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bytes: fc.option(fc.array(fc.nat(255), { maxLength: 3 })),
  top_logprobs: fc.constant([]),
});
const logprobList = fc.option(fc.array(logprob, { minLength: 1, maxLength: 4 }));

const toolCall = fc.oneof(
  fc.record({
    id: fc.uuid(),
    type: fc.constant("function"),
    function: fc.record({ name: fc.constantFrom("add", "search"), arguments: texts }),
  }),
  fc.record({
    id: fc.uuid(),
    type: fc.constant("custom"),
    custom: fc.record({ name: fc.constantFrom("shell", "patch"), input: texts }),
  }),
);

const audio = fc.record({
  id: fc.uuid(),
  data: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  transcript: texts,
  expires_at: fc.nat(),
});

const message = fc.record(
  {
    role: fc.constant("assistant"),
    content: fc.option(texts),
    refusal: fc.option(texts),
    reasoning_content: texts,
    reasoning: texts,
    tool_calls: fc.array(toolCall, { minLength: 1, maxLength: 3 }),
    audio,
    annotations: fc.array(fc.record({ type: fc.constant("url_citation"), url: fc.webUrl() })),
    reasoning_details: fc
      .array(
        fc.record({ type: fc.constant("reasoning.text"), text: texts, signature: fc.uuid() }),
        { minLength: 1, maxLength: 3 },
      )
      .map((details) => details.map((detail, index) => ({ ...detail, index }))),
    provider_note: fc.string(),
  },
  { requiredKeys: ["role", "content", "refusal"] },
);

const choice = fc.record(
  {
    message,
    logprobs: fc.option(fc.record({ content: logprobList, refusal: logprobList })),
    finish_reason: fc.constantFrom("stop", "length", "tool_calls", "content_filter"),
    token_ids: fc.array(fc.nat(200_000), { minLength: 1, maxLength: 6 }),
    stop_reason: fc.option(fc.oneof(fc.nat(), fc.string())),
  },
  { requiredKeys: ["message", "logprobs", "finish_reason"] },
);

export const completions: fc.Arbitrary<Completion> = fc.record(
  {
    id: fc.uuid(),
    object: fc.constant("chat.completion"),
    created: fc.nat(),
    model: fc.constantFrom("gpt-x", "models/ü"),
    service_tier: fc.constantFrom("default", null),
    system_fingerprint: fc.constantFrom("fp_1", null),
    choices: fc
      .array(choice, { minLength: 1, maxLength: 3 })
      .map((choices) => choices.map((one, index) => ({ index, ...one }))),
    usage: fc.record({
      prompt_tokens: fc.nat(),
      completion_tokens: fc.nat(),
      total_tokens: fc.nat(),
    }),
    prompt_token_ids: fc.array(fc.nat(200_000), { maxLength: 4 }),
  },
  { requiredKeys: ["id", "object", "created", "model", "choices"] },
);

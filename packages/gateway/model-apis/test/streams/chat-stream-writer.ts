import type { Choice, Completion } from "./chat-completions.ts";
import { Dice } from "./event-stream-writer.ts";

type Json = Record<string, unknown>;

/** The chunks in which a server may stream a completion, without `[DONE]`. */
export function streamCompletion(completion: Completion, seed: number): Json[] {
  const dice = new Dice(seed);
  const { choices, usage, prompt_token_ids, object: _object, ...base } = completion;
  const pieces = dice.interleave(choices.map((one) => streamChoice(one, dice)));
  const chunks = pieces.map(
    (piece): Json => ({
      ...base,
      object: "chat.completion.chunk",
      choices: [piece],
      obfuscation: "xyz",
    }),
  );
  const [first] = chunks;
  if (first !== undefined && prompt_token_ids !== undefined)
    first.prompt_token_ids = prompt_token_ids;
  if (usage !== undefined)
    chunks.push({ ...base, object: "chat.completion.chunk", choices: [], usage });
  return chunks;
}

function streamChoice(
  { index, message, logprobs, finish_reason, ...rest }: Choice,
  dice: Dice,
): Json[] {
  const { token_ids, ...last } = rest;
  const { role, content, refusal, ...others } = message;
  const piece = (delta: Json, more: Json = {}): Json => ({
    index,
    delta,
    logprobs: null,
    finish_reason: null,
    ...more,
  });
  const strings = (value: unknown, wrap: (part: unknown) => Json): Json[] =>
    typeof value === "string" ? ["", ...dice.split(value)].map((part) => piece(wrap(part))) : [];
  const lists = (value: readonly unknown[], wrap: (part: unknown) => Json): Json[] =>
    [[], ...dice.split(value)].map((part) => wrap(part));

  const sequences: Json[][] = [
    strings(content, (part) => ({ content: part })),
    strings(refusal, (part) => ({ refusal: part })),
  ];
  for (const key of ["reasoning_content", "reasoning"] as const) {
    sequences.push(strings(others[key], (part) => ({ [key]: part })));
  }
  others.tool_calls?.forEach((call, at) => {
    sequences.push(streamToolCall(call, at, dice).map((part) => piece({ tool_calls: [part] })));
  });
  others.reasoning_details?.forEach(({ text, type, index: at, signature }) => {
    const parts = ["", ...dice.split(text)].map((part) => ({ type, index: at, text: part }));
    sequences.push(
      [...parts, { type, index: at, signature }].map((part) =>
        piece({ reasoning_details: [part] }),
      ),
    );
  });
  if (others.audio !== undefined) {
    const { id, data, transcript, expires_at } = others.audio;
    const bytes = Buffer.from(data, "base64");
    const cuts = dice.split([...bytes]).map((part) => Buffer.from(part).toString("base64"));
    sequences.push([
      piece({ audio: { id } }),
      ...["", ...cuts].map((part) => piece({ audio: { data: part } })),
      ...["", ...dice.split(transcript)].map((part) => piece({ audio: { transcript: part } })),
      piece({ audio: { expires_at } }),
    ]);
  }
  if (others.annotations !== undefined) {
    sequences.push(lists(others.annotations, (part) => piece({ annotations: part })));
  }
  if (others.provider_note !== undefined)
    sequences.push([piece({ provider_note: others.provider_note })]);
  if (token_ids !== undefined)
    sequences.push(lists(token_ids, (part) => piece({}, { token_ids: part })));
  if (logprobs !== null) {
    sequences.push([piece({}, { logprobs: { content: null, refusal: null } })]);
    for (const key of ["content", "refusal"] as const) {
      const wrap = (part: unknown): Json =>
        piece({}, { logprobs: { content: null, refusal: null, [key]: part } });
      const list = logprobs[key];
      if (list !== null) sequences.push(lists(list, wrap));
    }
  }
  // Roles, ids and names come first; later ones are empty or missing.
  const head = piece({ role, content: null, refusal: null });
  return [
    head,
    ...dice.interleave(sequences),
    { index, delta: {}, logprobs: null, ...last, finish_reason },
  ];
}

function streamToolCall(call: Json, index: number, dice: Dice): Json[] {
  const { id, type } = call;
  const kind = type === "function" ? "function" : "custom";
  const { name, ...texts } = call[kind] as Record<string, string>;
  const parts: Json[] = [{ index, id, type, [kind]: { name } }];
  for (const [key, text] of Object.entries(texts)) {
    for (const part of ["", ...dice.split(text)])
      parts.push({ index, id: "", [kind]: { [key]: part } });
  }
  return parts;
}

import fc from "fast-check";
import { texts } from "./chat-completions.ts";
import { Dice } from "./event-stream-writer.ts";

const annotation = fc.record({ type: fc.constant("url_citation"), url: fc.webUrl() });
const logprob = fc.record({ token: texts, logprob: fc.integer(), top_logprobs: fc.constant([]) });

const outputText = fc.record({
  type: fc.constant("output_text" as const),
  text: texts,
  annotations: fc.array(annotation, { maxLength: 2 }),
  logprobs: fc.array(logprob, { maxLength: 3 }),
});
const refusal = fc.record({ type: fc.constant("refusal" as const), refusal: texts });
const reasoningText = fc.record({ type: fc.constant("reasoning_text" as const), text: texts });
const summaryText = fc.record({ type: fc.constant("summary_text" as const), text: texts });

const message = fc.record({
  id: fc.uuid(),
  type: fc.constant("message"),
  role: fc.constant("assistant"),
  status: fc.constant("completed"),
  content: fc.array(fc.oneof(outputText, refusal), { maxLength: 3 }),
});
const reasoning = fc.record({
  id: fc.uuid(),
  type: fc.constant("reasoning"),
  summary: fc.array(summaryText, { maxLength: 2 }),
  content: fc.array(reasoningText, { maxLength: 2 }),
  encrypted_content: fc.option(fc.base64String()),
});
const call = (type: string, member: string): fc.Arbitrary<Json> =>
  fc.record({
    id: fc.uuid(),
    type: fc.constant(type),
    status: fc.constant("completed"),
    call_id: fc.uuid(),
    name: fc.string(),
    [member]: texts,
  });
const calls = fc.oneof(
  call("function_call", "arguments"),
  call("mcp_call", "arguments"),
  call("custom_tool_call", "input"),
  call("code_interpreter_call", "code"),
);
const search = fc.record({
  id: fc.uuid(),
  type: fc.constantFrom("web_search_call", "an_item_to_come"),
  action: fc.record({ query: texts }),
});

type Json = Record<string, unknown>;
export interface ModelResponse extends Json {
  readonly status: string;
  readonly output: readonly Json[];
}

export const responses: fc.Arbitrary<ModelResponse> = fc.record({
  id: fc.uuid(),
  object: fc.constant("response"),
  status: fc.constantFrom("completed", "incomplete", "failed"),
  error: fc.constant(null),
  incomplete_details: fc.constant(null),
  // The request is echoed, and may look like anything.
  instructions: fc.constantFrom(null, 'data: {"type":"response.completed"}\n\n', '"type":"error"'),
  metadata: fc.constantFrom({}, { type: "response.failed" }),
  tools: fc.constant([{ type: "function", parameters: { type: "error", response: {} } }]),
  output: fc.array<Json>(fc.oneof(message, reasoning, calls, search), { maxLength: 4 }),
  usage: fc.record({ input_tokens: fc.nat(), output_tokens: fc.nat(), total_tokens: fc.nat() }),
});

/** The response as created: still without output. */
export function createdResponse(response: ModelResponse): Json {
  return { ...response, status: "in_progress", output: [], usage: null };
}

/** An item as far as its deltas describe it. */
export function withoutDone(item: Json): Json {
  return "status" in item ? { ...item, status: "in_progress" } : item;
}

/**
 * The events in which a server may stream a response, the terminal one last.
 * @param withDone include the events that repeat parts and items whole
 */
export function streamResponse(response: ModelResponse, seed: number, withDone: boolean): Json[] {
  const dice = new Dice(seed);
  const created = createdResponse(response);
  const items = response.output.map((item, output_index) =>
    streamItem(item, dice)
      .filter(({ type }) => withDone || !String(type).endsWith(".done"))
      .map((event) => ({ item_id: item.id, output_index, ...event })),
  );
  const events: Json[] = [
    { type: "response.created", response: created },
    { response: created, type: "response.in_progress" },
    ...dice.interleave(items),
  ];
  const last = { response, type: `response.${response.status}` };
  return [...events, last].map((event, sequence_number) => ({ ...event, sequence_number }));
}

function streamItem(item: Json, dice: Dice): Json[] {
  const empty = { ...withoutDone(item) };
  const events: Json[] = [];
  for (const [member, value] of Object.entries(item)) {
    if (member === "content" || member === "summary") {
      empty[member] = [];
      const parts = Array.isArray(value) ? value : [];
      events.push(...dice.interleave(parts.map((part, at) => streamPart(member, part, at, dice))));
    } else if (["arguments", "input", "code"].includes(member)) {
      empty[member] = "";
      const type = `response.${String(item.type) === "code_interpreter_call" ? "code_interpreter_call_code" : subjects[String(item.type)]}`;
      events.push(...streamText(type, member, String(value), {}, dice));
    }
  }
  return [
    { type: "response.output_item.added", item: empty },
    ...events,
    { type: "response.output_item.done", item },
  ];
}

const subjects: Readonly<Record<string, string>> = {
  function_call: "function_call_arguments",
  mcp_call: "mcp_call_arguments",
  custom_tool_call: "custom_tool_call_input",
};

function streamPart(list: "content" | "summary", part: Json, index: number, dice: Dice): Json[] {
  const place = list === "content" ? { content_index: index } : { summary_index: index };
  const subject = list === "content" ? "response.content_part" : "response.reasoning_summary_part";
  const member = part.type === "refusal" ? "refusal" : "text";
  const type = `response.${part.type === "summary_text" ? "reasoning_summary_text" : part.type}`;
  const empty: Json = { ...part, [member]: "" };
  const events = streamText(type, member, String(part[member]), place, dice);
  if (part.type === "output_text") {
    empty.annotations = [];
    empty.logprobs = [];
    for (const event of events) if (event.type !== `${type}.done`) event.logprobs = [];
    const [first] = events;
    if (first !== undefined) first.logprobs = part.logprobs;
    const annotations = Array.isArray(part.annotations) ? part.annotations : [];
    annotations.forEach((annotation, annotation_index) => {
      events.push({
        type: "response.output_text.annotation.added",
        ...place,
        annotation_index,
        annotation,
      });
    });
  }
  return [
    { type: `${subject}.added`, ...place, part: empty },
    ...events,
    { type: `${subject}.done`, ...place, part },
  ];
}

function streamText(type: string, member: string, text: string, place: Json, dice: Dice): Json[] {
  const deltas = ["", ...dice.split(text)].map((delta) => ({
    type: `${type}.delta`,
    ...place,
    delta,
    obfuscation: "x",
  }));
  return [...deltas, { type: `${type}.done`, ...place, [member]: text }];
}

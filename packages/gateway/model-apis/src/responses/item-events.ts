import type { StreamOptions } from "../conversation/model-answer.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

export type TypedEvent = readonly [type: string, members: JsonObject];

/** Item members whose text has its own events, with the names of those events. */
const itemTexts: ReadonlyMap<unknown, readonly [member: string, event: string]> = new Map([
  ["function_call", ["arguments", "response.function_call_arguments"]],
  ["mcp_call", ["arguments", "response.mcp_call_arguments"]],
  ["custom_tool_call", ["input", "response.custom_tool_call_input"]],
  ["code_interpreter_call", ["code", "response.code_interpreter_call_code"]],
]);

/**
 * Lists of parts: the member, the event member that holds an index into it, and the event's name for a part.
 */
const partLists = [
  ["summary", "summary_index", "response.reasoning_summary_part"],
  ["content", "content_index", "response.content_part"],
] as const;

/** The member that holds a part's text, and the name of its events. */
const partTexts: ReadonlyMap<unknown, readonly [member: string, event: string]> = new Map([
  ["output_text", ["text", "response.output_text"]],
  ["refusal", ["refusal", "response.refusal"]],
  ["reasoning_text", ["text", "response.reasoning_text"]],
  ["summary_text", ["text", "response.reasoning_summary_text"]],
]);

/** The events that send an item of a response. */
export function writeItem(
  item: JsonObject,
  output_index: number,
  { cut }: StreamOptions,
): readonly TypedEvent[] {
  const place: JsonObject = { item_id: item.id ?? null, output_index };
  const begin: Record<string, unknown> = { ...item };
  if (item.status !== undefined) begin.status = "in_progress";
  const events: TypedEvent[] = [];
  for (const [member, index, event] of partLists) {
    const parts = item[member];
    if (!Array.isArray(parts)) continue;
    begin[member] = [];
    for (const [at, part] of parts.entries())
      if (isJsonObject(part))
        events.push(...writePart(part, { ...place, [index]: at }, event, cut));
  }
  const [member = "", event = ""] = itemTexts.get(item.type) ?? [];
  const text = item[member];
  if (typeof text === "string") {
    begin[member] = "";
    for (const delta of cut?.(text) ?? [text]) events.push([`${event}.delta`, { ...place, delta }]);
    const named = item.type === "function_call" ? { name: item.name } : {};
    events.push([`${event}.done`, { ...place, ...named, [member]: text }]);
  }
  return [
    ["response.output_item.added", { output_index, item: begin }],
    ...events,
    ["response.output_item.done", { output_index, item }],
  ];
}

function writePart(
  part: JsonObject,
  place: JsonObject,
  partEvent: string,
  cut: StreamOptions["cut"],
): readonly TypedEvent[] {
  const [member = "", event = ""] = partTexts.get(part.type) ?? [];
  const { [member]: text, annotations, logprobs } = part;
  if (typeof text !== "string")
    return [
      [`${partEvent}.added`, { ...place, part }],
      [`${partEvent}.done`, { ...place, part }],
    ];
  const known = logprobs === undefined ? {} : { logprobs };
  const begin = {
    ...part,
    [member]: "",
    ...(Array.isArray(annotations) ? { annotations: [] } : {}),
    ...(Array.isArray(logprobs) ? { logprobs: [] } : {}),
  };
  const annotated = (Array.isArray(annotations) ? annotations : []).map(
    (annotation, annotation_index): TypedEvent => [
      "response.output_text.annotation.added",
      { ...place, annotation_index, annotation },
    ],
  );
  return [
    [`${partEvent}.added`, { ...place, part: begin }],
    ...deltasOf(text, logprobs, cut).map(
      (delta): TypedEvent => [`${event}.delta`, { ...place, ...delta }],
    ),
    ...annotated,
    [`${event}.done`, { ...place, [member]: text, ...known }],
    [`${partEvent}.done`, { ...place, part }],
  ];
}

/** The log probabilities of a piece come with it, if there is one for each token. */
function deltasOf(text: string, logprobs: unknown, cut: StreamOptions["cut"]): JsonObject[] {
  if (cut === undefined) return [{ delta: text, ...(logprobs === undefined ? {} : { logprobs }) }];
  const tokens = (Array.isArray(logprobs) ? logprobs : []).filter(isJsonObject);
  if (tokens.length > 0 && tokens.map(({ token }) => token).join("") === text)
    return tokens.map((token) => ({ delta: token.token, logprobs: [token] }));
  return cut(text).map((delta) => ({ delta, ...(logprobs === undefined ? {} : { logprobs: [] }) }));
}

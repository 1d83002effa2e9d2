import type { StreamOptions } from "../conversation/model-answer.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { typedEvent } from "../streams/event-text.ts";
import { type TypedEvent, writeItem } from "./item-events.ts";

/** The events that end a stream, by the response's status; any other status ends it like `completed`. */
const ends: ReadonlySet<unknown> = new Set(["completed", "incomplete", "failed"]);

/** The events that a response is streamed as, in the order in which the API sends them. */
export function writeResponseStream(answer: JsonObject, options: StreamOptions = {}): string[] {
  const { output, status } = answer;
  const items = Array.isArray(output) ? output.filter(isJsonObject) : [];
  const response = begunResponse(answer);
  const events: readonly TypedEvent[] = [
    ["response.created", { response }],
    ["response.in_progress", { response }],
    ...items.flatMap((item, index) => writeItem(item, index, options)),
    [`response.${ends.has(status) ? status : "completed"}`, { response: answer }],
  ];
  return events.map(([type, members], sequence_number) =>
    typedEvent(type, { sequence_number, ...members }),
  );
}

/** The response before it has said anything. */
export function begunResponse(answer: JsonObject): JsonObject {
  const open = { status: "in_progress", completed_at: null, error: null, incomplete_details: null };
  return { ...answer, ...known(answer, open), output: [], usage: null };
}

/** The members that the answer has too. */
const known = (answer: JsonObject, members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(answer, name)));

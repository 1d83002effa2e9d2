import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { typedEvent } from "../streams/event-text.ts";
import { type TypedEvent, writeItem } from "./item-events.ts";

/** The events that end a stream, by the response's status; any other status ends it like `completed`. */
const ends: ReadonlySet<unknown> = new Set(["completed", "incomplete", "failed"]);

/** Streams a response that was recorded whole, in the order in which the API sends one. */
export function writeResponseStream(answer: JsonObject): string {
  const { output, status } = answer;
  const items = Array.isArray(output) ? output.filter(isJsonObject) : [];
  const response = { ...answer, status: "in_progress", output: [], usage: null };
  const events: readonly TypedEvent[] = [
    ["response.created", { response }],
    ["response.in_progress", { response }],
    ...items.flatMap(writeItem),
    [`response.${ends.has(status) ? status : "completed"}`, { response: answer }],
  ];
  return events
    .map(([type, members], sequence_number) => typedEvent(type, { sequence_number, ...members }))
    .join("");
}

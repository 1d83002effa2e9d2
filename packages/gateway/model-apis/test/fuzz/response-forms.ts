import { type Form, isJson, nothing, unreadableEvent } from "./form.ts";
import type { Json } from "./official-client.ts";

const form = (name: string, kind: string, apply: Form["apply"], clientReads = false): Form => {
  return { name, kind, clientReads, apply };
};

/** Changes the response of the last event, if it has output. */
const atEnd = (name: string, change: (response: Json) => void): Form =>
  form(name, "end", (events) => {
    const response = events.filter(isJson).at(-1)?.response as Json;
    if ((response.output as unknown[]).length > 0) change(response);
    return events;
  });

export const responseForms: readonly Form[] = [
  unreadableEvent,
  atEnd("the end leaves out the output", (response) => Object.assign(response, { output: [] })),
  atEnd("the end has no output", (response) => Reflect.deleteProperty(response, "output")),
  atEnd("the end's output is null", (response) => Object.assign(response, { output: null })),
  form("ids of items change with every event", "ids", (events, dice) => {
    for (const event of events.filter(isJson))
      if ("item_id" in event) event.item_id = `i${dice.roll(1e6)}`;
    return events;
  }),
  form("no sequence numbers", "numbers", (events) => {
    for (const event of events.filter(isJson)) delete event.sequence_number;
    return events;
  }),
  nothing((events) =>
    events.filter(isJson).flatMap((event) => {
      if (event.response === undefined) return [];
      return [{ ...event, response: { ...(event.response as Json), output: [] } }];
    }),
  ),
  form("events to come", "others", (events) => [
    ...events.slice(0, 2),
    { type: "response.keepalive", sequence_number: 0 },
    { type: "keepalive" },
    ...events.slice(2),
  ]),
];

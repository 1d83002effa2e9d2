import { type Form, isJson, nothing, unreadableEvent } from "./form.ts";

const form = (name: string, kind: string, apply: Form["apply"]): Form => {
  return { name, kind, clientReads: false, apply };
};

export const messageForms: readonly Form[] = [
  unreadableEvent,
  form("blocks share an index", "indexes", (events) => {
    for (const event of events.filter(isJson)) if ("index" in event) event.index = 0;
    return events;
  }),
  form("indexes begin at 1", "indexes", (events) => {
    for (const event of events.filter(isJson))
      if ("index" in event) event.index = Number(event.index) + 1;
    return events;
  }),
  nothing((events) =>
    events.filter((event) => isJson(event) && /^message_st/.test(String(event.type))),
  ),
  form("blocks have no ends", "ends", (events) =>
    events.filter((event) => !isJson(event) || event.type !== "content_block_stop"),
  ),
];

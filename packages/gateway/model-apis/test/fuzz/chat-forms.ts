import type { Dice } from "../streams/event-stream-writer.ts";
import { type Form, isJson, nothing, unreadableEvent } from "./form.ts";
import type { Json } from "./official-client.ts";

type Events = readonly (Json | string)[];

interface Place {
  readonly event: Json;
  readonly choice: Json;
  readonly delta: Json;
}

/** Every choice of every chunk. */
function places(events: Events): Place[] {
  return events.filter(isJson).flatMap((event) => {
    const choices = Array.isArray(event.choices) ? (event.choices as Json[]) : [];
    return choices.map((choice) => ({ event, choice, delta: choice.delta as Json }));
  });
}

const callOf = ({ delta }: Place): Json | undefined =>
  (delta.tool_calls as Json[] | undefined)?.[0];

/** Moves the pieces of each choice's calls so that each call's come together. */
function inTurn(events: Events): Events {
  const found = places(events).filter((place) => callOf(place) !== undefined);
  for (const index of new Set(found.map(({ choice }) => choice.index))) {
    const own = found.filter(({ choice }) => choice.index === index);
    const pieces = own.map(({ delta }) => delta.tool_calls as Json[]);
    pieces.sort(([one], [other]) => Number(one?.index) - Number(other?.index));
    for (const [at, { delta }] of own.entries()) delta.tool_calls = pieces[at];
  }
  return events;
}

/** Changes each piece of a call, whose id is that of its first piece. */
function eachPiece(events: Events, change: (piece: Json, id: unknown, name: Json) => void): Events {
  const first = new Map<string, Json>();
  for (const place of places(events)) {
    const piece = callOf(place);
    if (piece === undefined) continue;
    const key = `${place.choice.index} ${piece.index}`;
    if (!first.has(key)) first.set(key, structuredClone(piece));
    const begin = first.get(key) ?? {};
    change(piece, begin.id, begin);
  }
  return events;
}

const said = (piece: Json): Json => (piece.function ?? piece.custom) as Json;

const calls = (name: string, apply: Form["apply"], clientReads = false): Form => {
  return { name, kind: "calls", clientReads, apply };
};

const chunks = (name: string, clientReads: boolean, apply: Form["apply"]): Form => {
  return { name, kind: name, clientReads, apply };
};

const empty = { id: "", object: "", created: 0, model: "", choices: [] };

const somewhere = (events: Events, event: Json, dice: Dice): Events => {
  const at = 1 + dice.roll(events.length);
  return [...events.slice(0, at), event, ...events.slice(at)];
};

export const chatForms: readonly Form[] = [
  unreadableEvent,
  calls("parallel calls share an index", (events) =>
    eachPiece(inTurn(events), (piece) => Object.assign(piece, { index: 0 })),
  ),
  calls("parallel calls share an index, with their ids", (events) =>
    eachPiece(inTurn(events), (piece, id) => Object.assign(piece, { index: 0, id })),
  ),
  calls("pieces have no index", (events) =>
    eachPiece(inTurn(events), (piece) => void delete piece.index),
  ),
  calls("pieces have no index, but their ids", (events) =>
    eachPiece(inTurn(events), (piece, id) => Object.assign(piece, { index: null, id })),
  ),
  calls(
    "pieces repeat their id, type and name",
    (events) =>
      eachPiece(events, (piece, id, begin) => {
        Object.assign(piece, { id, type: begin.type });
        said(piece).name = said(begin).name;
      }),
    true,
  ),
  calls("names come in pieces", (events) =>
    events.flatMap((event) => {
      const [place] = places([event]);
      const piece = place === undefined ? undefined : callOf(place);
      if (piece === undefined || typeof said(piece).name !== "string") return [event];
      const name = String(said(piece).name);
      const rest = structuredClone(event) as Json;
      const [other] = places([rest]);
      said(piece).name = name.slice(0, 2);
      const more = (other && callOf(other)) ?? {};
      Object.assign(more, { id: "" });
      said(more).name = name.slice(2);
      return [event, rest];
    }),
  ),
  chunks("a last chunk with an empty id and model", true, (events) => [...events, { ...empty }]),
  chunks("a first chunk about the prompt", true, (events) => [{ ...empty }, ...events]),
  chunks("chunks without choices", true, (events, dice) => {
    const [first] = events.filter(isJson);
    return somewhere(events, { ...first, choices: [] }, dice);
  }),
  chunks("chunks whose choices are null", false, (events, dice) => {
    const [first] = events.filter(isJson);
    return somewhere(events, { ...first, choices: null }, dice);
  }),
  chunks("empty finish reasons", true, (events) => {
    for (const { choice } of places(events)) choice.finish_reason ??= "";
    return events;
  }),
  chunks("a role with every chunk", true, (events) => {
    for (const { delta } of places(events)) delta.role = "assistant";
    return events;
  }),
  chunks("no role", false, (events) => {
    for (const { delta } of places(events)) delete delta.role;
    return events;
  }),
  chunks("two pieces in a chunk", true, (events, dice) => {
    const merged: (Json | string)[] = [];
    for (const event of events) {
      const last = merged.findLast(isJson);
      const choices = [last, event].map((each) => (each && isJson(each) ? each.choices : null));
      const merges = choices.every(Array.isArray) && dice.roll(2) === 0;
      if (merges && last !== undefined && "usage" in last === "usage" in (event as Json))
        last.choices = choices.flat();
      else merged.push(event);
    }
    return merged;
  }),
  {
    name: "a failure as the finish reason",
    kind: "finish",
    clientReads: true,
    apply: (events) => {
      for (const { choice } of places(events))
        if (choice.finish_reason) choice.finish_reason = "network_error";
      return events;
    },
    changes: ({ choices }) => {
      for (const choice of choices as Json[]) choice.finish_reason = "network_error";
    },
  },
  {
    name: "no finish reason",
    kind: "finish",
    clientReads: false,
    apply: (events) => {
      for (const { choice } of places(events)) choice.finish_reason = null;
      return events;
    },
    changes: ({ choices }) => {
      for (const choice of choices as Json[]) choice.finish_reason = null;
    },
  },
  {
    name: "blocks of thinking in pieces",
    kind: "thinking",
    clientReads: false,
    apply: (events, dice) => {
      const pieces = ["Step ", "1", "."].map((thinking) => ({ thinking, signature: "" }));
      const blocks = [
        ...pieces,
        { thinking: "", signature: "s1" },
        { thinking: "2", signature: "s2" },
      ];
      const [first] = events.filter(isJson);
      const chunksOf = blocks.map((block): Json => {
        const delta = { thinking_blocks: [{ type: "thinking", ...block }] };
        return { ...first, choices: [{ index: 0, delta, logprobs: null, finish_reason: null }] };
      });
      return dice.interleave<Json | string>([events, chunksOf]);
    },
    changes: ({ choices }) => {
      const [choice] = choices as { message: Json }[];
      if (choice === undefined) return;
      choice.message.thinking_blocks = [
        { type: "thinking", thinking: "Step 1.", signature: "s1" },
        { type: "thinking", thinking: "2", signature: "s2" },
      ];
    },
  },
  // Last, so that nothing comes back.
  nothing((events) => events.filter((event) => isJson(event) && "usage" in event)),
];

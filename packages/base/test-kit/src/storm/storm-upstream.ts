import { setTimeout as delay } from "node:timers/promises";
import {
  closeBeforeHeaders,
  cutStreamAt,
  resetBeforeHeaders,
  sendGarbage,
  sendHalfEvent,
  sendHalfHeaders,
  sendWrongLength,
} from "../upstream/faults.ts";
import type { ReplyHandler } from "../upstream/faulty-upstream.ts";
import { chatCompletion } from "../wire/chat-completion.ts";
import { messageObject } from "../wire/message-object.ts";
import { responseObject } from "../wire/response-object.ts";
import { chatStream, jsonBytes, messageStream, responseStream } from "../wire/streams.ts";
import type { StormPlan } from "./storm-plan.ts";

const text = "A storm of words that come one by one.";
const words = { content: [{ type: "text" as const, text, citations: null }] };
const answers = {
  "chat/completions": {
    document: jsonBytes(chatCompletion({ content: text })),
    events: chatStream(chatCompletion({ content: text })),
  },
  messages: {
    document: jsonBytes(messageObject(words)),
    events: messageStream(messageObject(words)),
  },
  responses: {
    document: jsonBytes(responseObject({ text })),
    events: responseStream(responseObject({ text })),
  },
};

/** Answers a request of a storm as it was planned. */
export function answerAsPlanned({ endpoint, stream, upstream }: StormPlan): ReplyHandler {
  const { document, events } = answers[endpoint];
  switch (upstream) {
    case "whole":
      return (_request, reply) =>
        void (stream ? reply.events(events) : reply.send(document, { headers: json }));
    case "slow":
      return stream ? sendSlowly(events) : sendSlowly(slices(document), json);
    case "reset":
      return resetBeforeHeaders();
    case "close":
      return closeBeforeHeaders();
    case "garbage":
      return sendGarbage();
    case "half-headers":
      return sendHalfHeaders();
    case "cut":
      return stream
        ? cutStreamAt(events, Math.floor(Buffer.concat(events).length / 2))
        : cutStreamAt([document], 30, { headers: json, by: "close" });
    case "half-event":
      return sendHalfEvent(events.slice(0, 4), { by: "close" });
    case "dries-up":
      return cutStreamAt(events, 200, { by: "silence" });
    case "too-short":
      return sendWrongLength(document, 10);
    case "429":
      return (_request, reply) =>
        void reply.json({ error: { code: "slow_down" } }, { status: 429 });
    case "500":
      return (_request, reply) => void reply.json({ error: { code: "broken" } }, { status: 500 });
  }
}

const json = { "content-type": "application/json" };

function slices(bytes: Buffer): Buffer[] {
  const middle = Math.floor(bytes.length / 2);
  return [bytes.subarray(0, middle), bytes.subarray(middle)];
}

/** Time between two pieces, so that callers can leave in between. */
function sendSlowly(pieces: readonly Buffer[], headers?: Record<string, string>): ReplyHandler {
  return async (_request, reply) => {
    await (headers === undefined ? reply.startEvents() : reply.start({ headers }));
    for (const piece of pieces) {
      await delay(1);
      if (!(await reply.write(piece))) return;
    }
    await reply.end();
  };
}

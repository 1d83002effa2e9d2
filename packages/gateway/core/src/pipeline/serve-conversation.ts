import { objectOf, parseJson } from "@proj/model-apis/json";
import { createOwnAnswer } from "../call/answer.ts";
import type { Stage } from "../call/stage.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { StoredCall } from "../recording/stored-call.ts";
import { keepsFor } from "../routes/kept-history.ts";
import { servedConversationId } from "../session/served-conversation.ts";

/**
 * Makes conversations in place of upstreams that keep none. They begin empty and grow by responses alone: what was said
 * in them is then in rows.
 */
export function serveConversation(): Stage<StoredCall> {
  return (next) => async (call) => {
    const { kind, route, session, object, body, timings } = call;
    if (kind !== "conversation" || keepsFor(route.config, "conversation")) return next(call);
    if (session === null || !route.config.serve_history)
      throw notServed(
        "its conversations would have to be kept, which this gateway does in sessions",
      );
    if (object !== null) throw notServed("this conversation can only be continued by responses");
    const request = parseJson(body.bytes.toString() || "{}");
    const { items, metadata = {} } = objectOf(request);
    if (Array.isArray(items) && items.length > 0)
      throw notServed("a conversation begins empty: send its items with the first response");
    const conversation = {
      id: servedConversationId(),
      object: "conversation",
      created_at: Math.floor(timings.startedAt / 1_000),
      metadata,
    };
    const bytes = Buffer.from(JSON.stringify(conversation));
    return createOwnAnswer(200, ["content-type", "application/json"], "plain", bytes);
  };
}

const notServed = (why: string): GatewayError =>
  new GatewayError("endpoint_not_supported", `The route's upstream keeps nothing, and ${why}.`);

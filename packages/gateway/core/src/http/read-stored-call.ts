import type { RequestBody } from "@proj/model-apis";
import { redactBeginning } from "@proj/model-apis/json";
import { BodyMemory } from "../call/body-memory.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { StoredCall } from "../recording/stored-call.ts";
import { keepsFor } from "../routes/kept-history.ts";
import type { StoredObject, StoredObjects } from "../session/stored-objects.ts";
import type { ModelExchange } from "./model-exchange.ts";
import { beginCall, type ReadCallOptions } from "./read-call.ts";
import type { StoredPath } from "./stored-path.ts";

/**
 * Reads a request about an object that an upstream stores, and finds out where the object is.
 * @throws GatewayError not_found: it was not created through this gateway; invalid_request: it is not known
 * which route should create it
 */
export async function readStoredCall(
  exchange: ModelExchange,
  path: StoredPath,
  { admission, config, replays, routes, registry, unboundObjects }: ReadCallOptions,
): Promise<StoredCall> {
  const { timings } = exchange;
  const { caller, session_id } = admission.admit(exchange);
  const bytes = await admission.readBody(exchange, caller, session_id);
  timings.bodyRead = performance.now();
  const session = session_id === null ? null : await registry.open(session_id, timings.startedAt);
  const isConversation = path.kind === "conversation";
  if (session_id !== null && !isConversation) await replays.checkUnrecorded(session_id);
  session?.keys.check(session.session_id, caller.scope?.issued_at ?? null);
  const objects = session?.stored ?? unboundObjects;
  const object = path.id === null ? null : await find(objects, path.id, path.kind);
  const model = object?.found.model ?? (await objects.latestModel()) ?? routes.only("responses");
  if (model === null)
    throw new GatewayError(
      "invalid_request",
      "The gateway cannot tell which route should store it. Ask a route for a response first, or give exactly one route the endpoint 'responses'.",
    );
  admission.checkModel(caller, model);
  const route = routes.find(model, "responses");
  // Conversations that the gateway keeps itself ask no upstream.
  if (session_id !== null && isConversation && keepsFor(route.config, "conversation"))
    await replays.checkUnrecorded(session_id);
  const call = beginCall(exchange, caller, {
    session_id,
    endpoint: path.endpoint,
    model,
    route,
    body: { ...unread, bytes, model },
    memory: new BodyMemory(bytes),
    recorded: {
      get bytes() {
        return this.beginning(0);
      },
      former: null,
      beginning: (length) =>
        config.telemetry.redact_sensitive_fields ? redactBeginning(bytes, length) : bytes,
    },
    queueKey: "",
    maxPlaces: Number.POSITIVE_INFINITY,
    stored: null,
    reference: null,
    lineage: null,
    side_call: null,
  });
  return Object.assign(call, {
    stored: { ...path.target, replica: object?.found.replica ?? null },
    session,
    objects,
    kind: path.kind,
    isWhole: path.isWhole,
    object,
  });
}

/** What routing reads of other bodies. This one is forwarded as it is. */
const unread: Omit<RequestBody, "bytes" | "model"> = {
  stream: false,
  stream_start: 0,
  model_start: 0,
  model_end: 0,
  messages_start: 0,
  messages_end: 0,
  sensitive: false,
};

async function find(
  objects: StoredObjects,
  id: string,
  kind: StoredPath["kind"],
): Promise<{ id: string; found: StoredObject }> {
  const found = await objects.find(id);
  if (found !== null) return { id, found };
  const what = kind === "response" ? "Response" : "Conversation";
  throw new GatewayError("not_found", `${what} with id '${id}' not found.`, { param: "id" });
}

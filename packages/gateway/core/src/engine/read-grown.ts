import {
  type ChatRequest,
  NotSupportedByEngine,
  type RequestBody,
  sharedEnd,
} from "@proj/model-apis";
import { type JsonObject, objectOf } from "@proj/model-apis/json";
import type { Call } from "../call/call.ts";

export interface ReadRequest {
  /** Its history may have its new messages alone. */
  readonly request: JsonObject;
  readonly asked: ChatRequest;
}

type Read = (request: JsonObject) => ChatRequest;

type History = Pick<ChatRequest, "messages" | "ignored">;

/** The history of a body, as long as the body is kept for the session's next one. */
const histories = new WeakMap<RequestBody, History>();
const nothing: History = { messages: [], ignored: [] };

/**
 * Reads a request. If its body begins with an earlier one of its session, only what is new is parsed and translated.
 * @param history the member that grows
 * @throws NotSupportedByEngine
 */
export function readGrown(
  { body, recorded, served }: Pick<Call, "body" | "recorded" | "served">,
  read: Read,
  history: string,
): ReadRequest {
  // A request that names its history is another body here than the one that was recorded.
  const former = served === null ? recorded.former : null;
  const known = former === null ? undefined : histories.get(former.body);
  // A turn of the assistant may go on in the next item.
  const isNew =
    former === null || known === undefined || known.messages.at(-1)?.role === "assistant";
  try {
    const request = isNew ? parsed(body.bytes.toString()) : parsed(newest(body, former.body));
    const said = joined(isNew ? nothing : known, read({ [history]: request[history] }));
    histories.set(body, said);
    const asked = read({ ...request, [history]: [] });
    return { request, asked: { ...asked, ...joined(asked, said) } };
  } catch (error) {
    if (!(error instanceof NotSupportedByEngine)) throw error;
    // Names the place in the whole history.
    return readWhole(body.bytes, read);
  }
}

export function readWhole(bytes: Buffer, read: Read): ReadRequest {
  const request = parsed(bytes.toString());
  return { request, asked: read(request) };
}

const joined = (one: History, other: History): History => ({
  messages: [...one.messages, ...other.messages],
  ignored: [...new Set([...one.ignored, ...other.ignored])],
});

/** A body without the messages of the one that it begins with. */
function newest({ bytes, messages_start }: RequestBody, former: RequestBody): string {
  const rest = bytes.toString("utf8", sharedEnd(former)).trimStart();
  return `${bytes.toString("utf8", 0, messages_start)}[${rest.startsWith(",") ? rest.slice(1) : rest}`;
}

const parsed = (json: string): JsonObject => objectOf(JSON.parse(json));

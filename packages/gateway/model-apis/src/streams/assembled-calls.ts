import { isJsonObject, type JsonObject, objectOf } from "../json/json-object.ts";

/** What is known of a call in pieces that tells its next piece from those of other calls. */
export interface OpenCall {
  id: string | null;
  name: string;
  /** The last arguments end an object. */
  isClosed: boolean;
}

/** The calls that a piece may belong to. */
export interface FormerCalls<Call extends OpenCall> {
  /** The one of its id, at its index if it has one. */
  readonly named: Call | undefined;
  /** The latest at its index, or of all if it has none. */
  readonly latest: Call | undefined;
}

/** Adds what a piece says to its call. */
export function noteCall(call: OpenCall, piece: JsonObject): void {
  const { name, text } = spoken(piece);
  call.id ??= callId(piece);
  if (call.name === "") call.name = name;
  if (text !== "") call.isClosed = text.trimEnd().endsWith("}");
}

/**
 * The call that a piece belongs to; null if it begins another. OpenAI tells calls apart by index alone. Some servers
 * give parallel calls one index and their own ids, others none: then a new id with a name begins a call, and what has
 * neither continues the latest.
 */
export function callOf<Call extends OpenCall>(
  { named, latest }: FormerCalls<Call>,
  piece: JsonObject,
): Call | null {
  if (named !== undefined) return named;
  if (latest === undefined) return null;
  const id = callId(piece);
  const said = spoken(piece);
  if (hasIndex(piece)) return id !== null && latest.id !== null && said.name !== "" ? null : latest;
  return id !== null || beginsAnother(latest, said) ? null : latest;
}

export const hasIndex = ({ index }: JsonObject): boolean => index !== undefined && index !== null;

export const callId = ({ id }: JsonObject): string | null =>
  typeof id === "string" && id !== "" ? id : null;

/** Whether a name without index and id, which some servers repeat with every piece, is another call's. */
function beginsAnother(latest: OpenCall, { name, text }: Spoken): boolean {
  if (name === "" || !latest.isClosed) return false;
  return text === "" ? name !== latest.name : text.trimStart().startsWith("{");
}

interface Spoken {
  readonly name: string;
  readonly text: string;
}

function spoken({ function: fn, custom }: JsonObject): Spoken {
  const { name, arguments: written, input } = isJsonObject(fn) ? fn : objectOf(custom);
  const text = written ?? input;
  return {
    name: typeof name === "string" ? name : "",
    // Some servers send arguments as an object, whole.
    text: isJsonObject(text) ? "{}" : typeof text === "string" ? text : "",
  };
}

import {
  isJsonObject,
  type JsonObject,
  objectOf,
  parseJson,
  stripMembers,
} from "@proj/model-apis/json";
import { GatewayError } from "../errors/gateway-error.ts";

/** A request of a caller over a WebSocket. */
export interface ClientFrame {
  readonly type: "response.create" | "response.steer";
  /** Frames of a lane are answered in turn; null: the connection's own lane. */
  readonly stream_id: string | null;
  /** Whether the model is to answer; otherwise the request is only kept for a later one. */
  readonly generates: boolean;
  /** The same request as it is sent over HTTP. */
  readonly body: Buffer;
  readonly members: JsonObject;
  /** What it says about its agent, as the headers of a request would. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Members that only a frame has, or that HTTP needs in its own form. */
const ofFrames = ["type", "stream_id", "generate", "stream"];

/** @throws GatewayError invalid_request */
export function readClientFrame(data: Buffer, isBinary: boolean): ClientFrame {
  const members = isBinary ? null : parseJson(data.toString());
  if (!isJsonObject(members)) throw invalid("A frame must be the text of a JSON object.");
  const { type, stream_id = null, generate = true, background = false } = members;
  if (type !== "response.create" && type !== "response.steer")
    throw invalid("A frame's type must be response.create or response.steer.", "type");
  if (stream_id !== null && (typeof stream_id !== "string" || stream_id.length > 256))
    throw invalid("stream_id must be a string of at most 256 characters.", "stream_id");
  if (background === true)
    throw invalid("Responses in the background are made over HTTP.", "background");
  const rest = stripMembers(data, ofFrames).toString().trim().slice(1);
  const comma = rest.trimStart().startsWith("}") ? "" : ",";
  return {
    ...{ type, stream_id, members },
    headers: headersIn(members.client_metadata),
    generates: generate !== false,
    body: Buffer.from(`{"stream":true${comma}${rest}`),
  };
}

/** Codex opens a connection before its first turn, so that the headers of the upgrade fit no frame. */
function headersIn(metadata: unknown): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(objectOf(metadata)))
    if (agentHeader.test(name) && typeof value === "string" && headerValue.test(value))
      own[name.toLowerCase()] = value;
  return own;
}

const agentHeader = /^x-(?:codex|openai-subagent)[a-z-]{0,64}$/i;
const headerValue = /^[\x20-\x7e]{0,8192}$/;

const invalid = (message: string, param?: string): GatewayError =>
  new GatewayError("invalid_request", message, param === undefined ? {} : { param });

import type { EndpointName } from "@proj/gateway-protocol";
import type { ReadFacts } from "../bodies/object-facts.ts";
import type { GatewayError } from "../errors/gateway-error.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import type { OpenStream } from "../streams/stream-reader.ts";

/**
 * One API of models: all that the gateway knows of it. No member is optional, so that none can be
 * forgotten; `endpoints.ts` lists them all.
 */
export interface Endpoint<Name extends EndpointName = EndpointName> {
  /** In rows, metrics, the request log and the configuration. */
  readonly name: Name;
  /** Below `/v1`, below a session, and below the upstream's base URL. */
  readonly path: string;
  /** The header that its own service takes a key in; as `Bearer <key>` where it is `authorization`. */
  readonly credentialHeader: "authorization" | "x-api-key";
  /** Headers of a request that the caller left out. */
  readonly defaultHeaders: Readonly<Record<string, string>>;
  /** The header by which its clients know the request's id. */
  readonly requestIdHeader: "x-request-id" | "request-id";
  /** The member of a request that grows from step to step, stored apart from the rest; null: none. */
  readonly history: string | null;
  /** What may be left out of a body before it is forwarded, where the route says so; null: nothing. */
  readonly strip: Strip | null;
  /** Reads what an answer that is one object says of itself. */
  readonly readFacts: ReadFacts;
  /** Reads a streamed answer, whose reader also knows the form of an error event; null: it never streams. */
  readonly openStream: OpenStream | null;
  /**
   * What rows keep of an answer, a JSON text, where `telemetry.capture_embeddings` does not ask for
   * all of it; null: all.
   */
  readonly abridge: ((text: Uint8Array) => Uint8Array) | null;
  /** False: it is asked for information, which leaves no row and does not hold a session's close up. */
  readonly isRecorded: boolean;
  /** The body of an error of the gateway's own. */
  readonly errorBody: (error: GatewayError, request_id: string) => object;
  /** Writes the answer to a call whose step budget is spent; null: its calls are not steps. */
  readonly writeStop: WriteStop | null;
  /** Streams an answer that was recorded whole; null: it never streams. */
  readonly writeStream: ((answer: JsonObject) => string) | null;
}

export interface Strip {
  /** In rows: what was left out. */
  readonly name: string;
  /** Null: there is nothing to leave out. */
  readonly from: (body: Buffer) => Buffer | null;
}

/** What OpenAI's APIs have in common. */
export const openaiHeaders: Pick<
  Endpoint,
  "credentialHeader" | "defaultHeaders" | "requestIdHeader" | "strip"
> = {
  credentialHeader: "authorization",
  defaultHeaders: {},
  requestIdHeader: "x-request-id",
  strip: null,
};

/** @param request the request's members, its history left out */
export type WriteStop = (head: StopHead, request: JsonObject, streams: boolean) => string;

/** What the answer is known by. */
export interface StopHead {
  readonly request_id: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
  /** What it says. */
  readonly text: string;
}

/** The setting whose budget is spent; callers read it in the header `x-gateway-stop`. */
export type StopReason = "max_steps" | "max_tokens" | "max_cost_usd";

/**
 * What the answer says. Where the request asks for JSON it says so as a refusal, the API's own form of
 * an answer that is not the JSON that was asked for: helpers that parse it would throw otherwise.
 */
export const stopTexts: Readonly<Record<StopReason, string>> = {
  max_steps: "[gateway] step budget reached",
  max_tokens: "[gateway] token budget reached",
  max_cost_usd: "[gateway] cost budget reached",
};

/** Whether an answer has to be JSON, by the request's `response_format` or `text.format`. */
export function asksForJson(format: unknown): boolean {
  return isJsonObject(format) && (format.type === "json_schema" || format.type === "json_object");
}

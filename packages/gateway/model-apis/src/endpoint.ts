import type { ApiError } from "./api-error.ts";
import type { ChatTranslation } from "./chat.ts";
import type { Conversation, ReadRequest, WrittenRequest } from "./conversation/conversation.ts";
import type { ConversationForm } from "./conversation/conversation-form.ts";
import type { ModelAnswer, StreamOptions } from "./conversation/model-answer.ts";
import type { ReadFacts } from "./facts/object-facts.ts";
import type { JsonObject } from "./json/json-object.ts";
import type { EndpointName } from "./names.ts";
import type { Reference } from "./references/reference.ts";
import type { RequestBody } from "./requests/request-body.ts";
import type { OpenStream } from "./streams/stream-reader.ts";

/**
 * Everything the gateway knows about one endpoint of a model API. No member is optional, so none can be
 * forgotten; `endpoints.ts` lists all endpoints.
 */
export interface Endpoint<Name extends EndpointName = EndpointName> {
  /** Its name in rows, metrics, the request log and the configuration. */
  readonly name: Name;
  /** Path below `/v1`, below a session, and below the upstream's base URL; `{model}` stands for the model. */
  readonly path: string;
  /** The path of a request for a stream, with its query; the same unless the path says that the answer streams. */
  readonly streamPath: string;
  /** The header in which the API's own service takes a key; `authorization` takes it as `Bearer <key>`. */
  readonly credentialHeader: string;
  /** Whose API it is, as OpenTelemetry's `gen_ai.provider.name` says it. */
  readonly provider: string;
  /**
   * Requests for one short answer, without the model, to be tried in turn; the first always works with the API's own
   * service.
   */
  readonly probes: readonly [JsonObject, ...JsonObject[]];
  /** Request headers to add if the caller left them out. */
  readonly defaultHeaders: Readonly<Record<string, string>>;
  /** The header in which the API's clients expect the request's id. */
  readonly requestIdHeader: string;
  /** The request's member that grows from step to step and is stored apart from the rest; null if none. */
  readonly history: string | null;
  /** What may be removed from a body before it is forwarded; the route decides. Null if nothing. */
  readonly strip: Strip | null;
  /** Reads the facts of an answer that is one object. */
  readonly readFacts: ReadFacts;
  /** Reads a streamed answer; the reader also knows the form of an error event. Null if it never streams. */
  readonly openStream: OpenStream | null;
  /**
   * The part of an answer's JSON text that rows keep unless `telemetry.capture_embeddings` asks for all of
   * it; null for all.
   */
  readonly abridge: ((text: Uint8Array) => Uint8Array) | null;
  /**
   * False for requests that only return information: they leave no row and do not hold up a session's close.
   */
  readonly isRecorded: boolean;
  /** Whether its streams tell their usage only if `stream_options.include_usage` asks for it. */
  readonly asksUsage: boolean;
  /** The body of the gateway's own errors. */
  readonly errorBody: (error: ApiError, request_id: string) => object;
  /** How an inference engine serves it. Null if it cannot. */
  readonly chat: ChatTranslation | null;
  /** The answer where a prompt's tokens are counted and not answered. Null if the endpoint does not count. */
  readonly writeCount: ((tokens: number) => JsonObject) | null;
  /** A request as a conversation; null if its model does not converse. */
  readonly readRequest: ((body: JsonObject) => ReadRequest) | null;
  /** A conversation as a request. Null if its model does not converse. */
  readonly writeRequest: ((conversation: Conversation) => WrittenRequest) | null;
  /**
   * A model's answer as the API's object; `request` has the request's members, some of which the object repeats.
   * Null if no answer of a model can be one.
   */
  readonly writeAnswer: ((answer: ModelAnswer, request: JsonObject) => JsonObject) | null;
  /** The events that an answer's object is streamed as. Null if it never streams. */
  readonly writeStream: ((answer: JsonObject, options?: StreamOptions) => string[]) | null;
  /** Reads what a request names instead of repeating it. Null if requests of the API always have their history. */
  readonly readReference: ((body: RequestBody) => Reference | null) | null;
  /** Whether the API's own service keeps answers for later requests without being asked to. */
  readonly keepsAnswers: boolean;
  /** Where its bodies keep what was said, for readers of recorded steps. */
  readonly conversation: ConversationForm;
}

export interface Strip {
  /** In rows, the name of what was removed. */
  readonly name: string;
  /** Whether the body may contain it; not in its history, which is most of a body. */
  readonly mayBeIn: (body: RequestBody) => boolean;
  /** Null if there is nothing to remove. */
  readonly from: (body: Buffer) => Buffer | null;
}

/** Headers that OpenAI's APIs have in common. */
export const openaiHeaders: Pick<
  Endpoint,
  "credentialHeader" | "provider" | "defaultHeaders" | "requestIdHeader" | "strip" | "asksUsage"
> = {
  credentialHeader: "authorization",
  provider: "openai",
  defaultHeaders: {},
  requestIdHeader: "x-request-id",
  strip: null,
  asksUsage: false,
};

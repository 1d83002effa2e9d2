import { isJsonObject, parseJson, writeJson } from "@proj/model-apis/json";
import { readEngineRecord } from "@proj/model-apis/tokens";
import type { StoredStep } from "@proj/session-store";
import {
  type Answer,
  type AnswerFormat,
  createOwnAnswer,
  type UpstreamFacts,
} from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import { parseMeta } from "./recorded-step.ts";

interface Written {
  readonly format: AnswerFormat;
  readonly content_type: string;
  readonly bytes: Buffer;
}

/**
 * Answers a call as the upstream answered a recorded step, streamed if the request streams. What an engine said beside
 * the answer goes to the call's own row.
 */
export function answerFromRecord(
  call: Pick<Call, "endpoint" | "body" | "engine">,
  { response, meta_json }: Pick<StoredStep, "response" | "meta_json">,
): Answer {
  const { endpoint, body } = call;
  const { upstream_status_code, upstream_request_id, replica, headers } = parseMeta(meta_json);
  const status = typeof upstream_status_code === "number" ? upstream_status_code : 200;
  const writes = body.stream && status < 400 ? endpoint.writeStream : null;
  call.engine = readEngineRecord(parsedEngine(response));
  const said = call.engine === null ? response : withoutEngine(response ?? "");
  const { format, content_type, bytes } = write(said ?? "", writes);
  const upstream: UpstreamFacts = {
    status,
    request_id: typeof upstream_request_id === "string" ? upstream_request_id : null,
    replica: typeof replica === "string" ? replica : "",
    attempts: 0,
    content_type,
    content_encoding: null,
    recorded_headers: isJsonObject(headers) ? textsOf(headers) : null,
  };
  return createOwnAnswer(status, ["content-type", content_type], format, bytes, upstream);
}

/** Most answers have no such member, and are not parsed. */
const parsedEngine = (response: string | null): unknown =>
  response?.includes('"engine":{') ? parseJson(response) : null;

function withoutEngine(response: string): string {
  const { engine: _, ...answer } = parseJson(response) as Readonly<Record<string, unknown>>;
  return writeJson(answer);
}

function write(response: string, writeStream: Call["endpoint"]["writeStream"]): Written {
  const answer = writeStream === null ? null : parseJson(response);
  if (writeStream !== null && isJsonObject(answer))
    return {
      format: "event_stream",
      content_type: "text/event-stream; charset=utf-8",
      bytes: Buffer.from(writeStream(answer).join("")),
    };
  const text = response.startsWith('"') ? parseJson(response) : null;
  // An answer that was not JSON is stored as a JSON string.
  if (typeof text === "string")
    return { format: "plain", content_type: "text/plain; charset=utf-8", bytes: Buffer.from(text) };
  return { format: "plain", content_type: "application/json", bytes: Buffer.from(response) };
}

function textsOf(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => {
      return typeof entry[1] === "string";
    }),
  );
}

import { hash } from "node:crypto";
import { once } from "node:events";
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type ApiName, apiOf } from "@proj/model-apis";
import type { JsonObject } from "@proj/model-apis/json";
import { type Exchange, modelAnswer, streamOptions, tellTokens } from "./answer.ts";
import { ApiError, writeError } from "./api-error.ts";
import { endpointAt, type FoundEndpoint } from "./endpoints.ts";
import { complete } from "./model.ts";
import type { DemoUpstreamOptions } from "./options.ts";
import { readPrompt } from "./read-prompt.ts";
import { parseBody, readBody } from "./request-body.ts";
import { readBoolean } from "./request-members.ts";
import { tokenizePrompt } from "./tokens.ts";

export function createRequestListener(options: DemoUpstreamOptions): RequestListener {
  let requests = 0;
  return (request, response) => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    response.setHeader("x-request-id", `req_demo_${++requests}`);
    answer(options, request, response, gone.signal).catch((error: unknown) => {
      if (gone.signal.aborted || response.headersSent) return void response.destroy();
      const name = endpointAt(pathOf(request))?.endpoint.name;
      sendError(response, error, name === undefined ? "chat_completions" : apiOf[name]);
    });
  };
}

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] ?? "";

async function answer(
  options: DemoUpstreamOptions,
  request: IncomingMessage,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const { method = "", headers } = request;
  const bytes = await readBody(request);
  const path = pathOf(request);
  options.onRequest?.({ method, path, headers, body: bytes });
  checkKey(options, headers);
  if (path === "/v1/models") {
    requireMethod(method, "GET", path);
    return sendJson(response, 200, listModels(options));
  }
  const found = endpointAt(path);
  if (found === null) {
    throw new ApiError(404, `Unknown request URL: ${method} ${path}.`, null, "unknown_url");
  }
  requireMethod(method, "POST", path);
  const { name, writeAnswer, writeCount, writeStream } = found.endpoint;
  const exchange = readExchange(options, found, bytes);
  const { body, prompt } = exchange;
  if (options.delayMs) await delay(options.delayMs, undefined, { signal: gone });
  if (writeCount !== null)
    return sendJson(response, 200, writeCount(tokenizePrompt(prompt).length));
  // The API's default is true, but this server stores nothing.
  const written = writeAnswer?.(modelAnswer(exchange), { store: false, ...body }) ?? {};
  const whole = tellTokens[name]?.(written, exchange) ?? written;
  if (!readBoolean(body, "stream")) return sendJson(response, 200, whole);
  const events = writeStream?.(whole, streamOptions(exchange)) ?? [];
  await sendEvents(response, events, options.tokenDelayMs ?? 0, gone);
}

function readExchange(
  options: DemoUpstreamOptions,
  { endpoint, told }: FoundEndpoint,
  bytes: Buffer,
): Exchange {
  const body: JsonObject = { ...parseBody(bytes), ...told };
  const prompt = readPrompt(endpoint, body);
  const models = options.models ?? [];
  if (models.length > 0 && !models.includes(prompt.model)) {
    const message = `The model '${prompt.model}' does not exist. There are: ${models.join(", ")}.`;
    throw new ApiError(404, message, "model", "model_not_found");
  }
  return {
    body,
    prompt,
    completions: complete(prompt, options.toolRounds ?? 3),
    id: hashRequest(body),
    created: Math.floor(Date.now() / 1000),
  };
}

/** Ignores `stream`, so that a streamed request gets the same ids as one without. */
function hashRequest({ stream: _stream, stream_options: _options, ...body }: JsonObject): string {
  return hash("sha256", JSON.stringify(body), "hex").slice(0, 24);
}

function checkKey({ apiKey = null }: DemoUpstreamOptions, headers: IncomingHttpHeaders): void {
  if (apiKey === null || headers.authorization === `Bearer ${apiKey}`) return;
  if (headers["x-api-key"] === apiKey || headers["x-goog-api-key"] === apiKey) return;
  throw new ApiError(401, "Incorrect API key provided.", null, "invalid_api_key");
}

function requireMethod(method: string, allowed: string, path: string): void {
  if (method === allowed) return;
  throw new ApiError(405, `${path} takes ${allowed}, not ${method}.`, null, "method_not_allowed");
}

function listModels({ models = [] }: DemoUpstreamOptions): JsonObject {
  const names = models.length > 0 ? models : ["demo"];
  const data = names.map((id) => ({
    id,
    object: "model",
    created: 1_767_225_600,
    owned_by: "demo",
  }));
  return { object: "list", data };
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, error: unknown, api: ApiName): void {
  const known =
    error instanceof ApiError
      ? error
      : new ApiError(500, "The demo server failed to answer.", null, "internal_error");
  sendJson(response, known.status, writeError(known, api));
}

async function sendEvents(
  response: ServerResponse,
  events: Iterable<string>,
  tokenDelayMs: number,
  gone: AbortSignal,
): Promise<void> {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
  let first = true;
  for (const event of events) {
    if (!first && tokenDelayMs > 0) await delay(tokenDelayMs, undefined, { signal: gone });
    first = false;
    gone.throwIfAborted();
    if (!response.write(event)) await once(response, "drain", { signal: gone });
  }
  response.end();
}

import type { RouteConfig } from "@proj/gateway-protocol";
import { type JsonObject, parsedObject } from "@proj/model-apis/json";
import { Agent, request } from "undici";
import { GatewayError } from "../errors/gateway-error.ts";

/** The ids of a million tokens are a tenth of this. */
const dispatcher = new Agent({ maxResponseSize: 64 * 1024 * 1024 });
/** An engine renders and parses in milliseconds. */
const timeoutMs = 30_000;

interface EngineReply {
  readonly status: number;
  /** Empty if it is not an object in JSON. */
  readonly answer: JsonObject;
}

/**
 * Asks an engine for something else than an answer of its model.
 * @param what it is asked to do, for the error
 * @throws GatewayError upstream_unreachable
 */
export async function postEngine(
  url: string | URL,
  body: string,
  { api_key }: RouteConfig,
  what: string,
  signal?: AbortSignal,
): Promise<EngineReply> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const headers = {
    "content-type": "application/json",
    ...(api_key === null ? {} : { authorization: `Bearer ${api_key}` }),
  };
  try {
    const answer = await request(url, {
      dispatcher,
      method: "POST",
      headers,
      body,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return { status: answer.statusCode, answer: parsedObject(await answer.body.text()) };
  } catch (cause) {
    throw new GatewayError("upstream_unreachable", `The engine cannot be asked to ${what}.`, {
      cause,
    });
  }
}

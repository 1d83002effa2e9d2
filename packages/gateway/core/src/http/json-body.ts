import { isJsonObject } from "@proj/model-apis/json";
import type { BufferedBytes } from "../call/body-memory.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { type BodyPace, type HttpExchange, readBody } from "./read-body.ts";

/** Most control requests have few members; a larger one is a mistake. */
const usualMaxBytes = 64 * 1024;

/**
 * Reads the body of a control request: an object, empty if there is no body.
 * @throws GatewayError invalid_request, and those of `readBody`
 * @throws CallerGoneError the connection ended before the body did
 */
export async function readJsonObject(
  exchange: HttpExchange,
  pace: BodyPace,
  buffered: BufferedBytes,
  maxBytes: number = usualMaxBytes,
): Promise<Readonly<Record<string, unknown>>> {
  const lease = buffered.lease();
  try {
    const bytes = await readBody(exchange, { ...pace, maxBytes }, buffered, lease);
    return bytes.length === 0 ? {} : parseObject(bytes.toString());
  } finally {
    lease.release();
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new GatewayError("invalid_request", "The body is not JSON.");
  }
  if (isJsonObject(value)) return value;
  throw new GatewayError("invalid_request", "The body must be a JSON object.");
}

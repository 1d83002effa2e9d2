import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonObject } from "@proj/model-apis/json";
import { GatewayError } from "../errors/gateway-error.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { bodyPace, readBody } from "./read-body.ts";

/** Most control requests have few members; a larger one is a mistake. */
const usualMaxBytes = 64 * 1024;

/**
 * Reads the body of a control request: an object, empty if there is no body.
 * @throws GatewayError invalid_request, and those of `readBody`
 * @throws CallerGoneError the connection ended before the body did
 */
export async function readJsonObject(
  req: IncomingMessage,
  res: ServerResponse,
  { config, buffered }: Pick<ControlDependencies, "config" | "buffered">,
  maxBytes: number = usualMaxBytes,
): Promise<Readonly<Record<string, unknown>>> {
  const lease = buffered.lease();
  try {
    const limits = { ...bodyPace(config), maxBytes };
    const bytes = await readBody({ req, res }, limits, buffered, lease);
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

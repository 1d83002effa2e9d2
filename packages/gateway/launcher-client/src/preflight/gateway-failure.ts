import { ApiError, HttpError, InvalidAnswerError } from "@proj/http-client";
import type { GatewayClient } from "../gateway/gateway-client.ts";
import { StartupError } from "./startup-error.ts";

/** Asks a gateway. @throws StartupError instead of an HttpError */
export async function ask<T>(
  gateway: GatewayClient,
  question: (gateway: GatewayClient) => Promise<T>,
): Promise<T> {
  try {
    return await question(gateway);
  } catch (error) {
    throw error instanceof HttpError ? startupError(error) : error;
  }
}

function startupError(error: HttpError): StartupError {
  const { message } = error;
  if (error instanceof InvalidAnswerError || isAnswered(error, [404, 405]))
    return new StartupError(
      "not_a_gateway",
      `what listens at --gateway-base-url is not a gateway: ${message}. Give the origin of the gateway, with its path prefix where it has one, and without the session path.`,
      error,
    );
  if (isAnswered(error, [401]))
    return new StartupError(
      "invalid_api_key",
      `gateway API key is missing or wrong: ${message}. Give one of the gateway's auth.api_keys with --gateway-api-key or GATEWAY_API_KEY.`,
      error,
    );
  // A proxy in front of the gateway answers these when the gateway is down.
  if (error instanceof ApiError && !isAnswered(error, [502, 503, 504]))
    return new StartupError("gateway_refused", `gateway refused a request: ${message}`, error);
  return new StartupError(
    "gateway_unreachable",
    `gateway is not reachable: ${message}. Start the gateway, or correct host and port of --gateway-base-url.`,
    error,
  );
}

const isAnswered = (error: HttpError, statuses: readonly number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status);

import { GatewayError } from "../errors/gateway-error.ts";

/** @throws GatewayError storage_unavailable */
export async function readStorage<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new GatewayError("storage_unavailable", "The storage cannot be reached. Try again.", {
      cause: error,
      retryAfterMs: 1_000,
    });
  }
}

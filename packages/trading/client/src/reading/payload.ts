/** Parses a push's payload, JSON in a string. @throws Error it is not JSON */
export function readPayload(payload: unknown): unknown {
  return typeof payload === "string" ? JSON.parse(payload) : payload;
}

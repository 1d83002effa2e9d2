/** What a push carries: JSON as text. @throws Error it is not JSON */
export function readPayload(payload: unknown): unknown {
  return typeof payload === "string" ? JSON.parse(payload) : payload;
}

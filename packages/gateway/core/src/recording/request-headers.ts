import { redact } from "@proj/model-apis/json";
import type { Call } from "../call/call.ts";

/** The headers named in the route's `record_request_headers` that the caller sent; null if none. */
export function requestHeaders({
  headers,
  route: { config },
}: Call): Readonly<Record<string, string>> | null {
  if (config.record_request_headers.length === 0) return null;
  const sent = config.record_request_headers.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  if (sent.length === 0) return null;
  // Callers' keys never reach a row, whatever the configuration says about bodies.
  const text = Buffer.from(JSON.stringify(Object.fromEntries(sent)));
  return JSON.parse(Buffer.from(redact(text)).toString());
}

import type { AttemptTrace } from "../call/call-trace.ts";
import { asCallError, CallerGoneError } from "../errors/gateway-error.ts";
import type { Exchange } from "./exchange.ts";
import type { OutgoingRequest, Replica } from "./replica.ts";

/** One attempt, with its span if the call is traced; the upstream then gets that span's context. */
export function tracedAttempt(
  replica: Replica,
  request: OutgoingRequest,
  fresh: boolean,
): Promise<Exchange> {
  const { trace } = request.call;
  if (trace === null) return replica.attempt(request, fresh);
  return attemptWithSpan(trace.beginAttempt(replica.name), replica, request, fresh);
}

async function attemptWithSpan(
  span: AttemptTrace,
  replica: Replica,
  request: OutgoingRequest,
  fresh: boolean,
): Promise<Exchange> {
  const headers = withTraceparent(request.headers, span.traceparent);
  try {
    const exchange = await replica.attempt({ ...request, headers }, fresh);
    const { failure } = exchange;
    if (failure !== null) span.end(null, failure.error.code);
    else void exchange.received.then(() => span.end(exchange.status, null));
    return exchange;
  } catch (error) {
    const reason = asCallError(error);
    span.end(null, reason instanceof CallerGoneError ? "caller_gone" : reason.code);
    throw error;
  }
}

/**
 * Takes names and values in turn. Replaces the caller's own header, because the upstream's caller is the
 * gateway.
 */
function withTraceparent(headers: readonly string[], traceparent: string): string[] {
  const result: string[] = ["traceparent", traceparent];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? "";
    if (name !== "traceparent") result.push(name, headers[at + 1] ?? "");
  }
  return result;
}

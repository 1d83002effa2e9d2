import type { AttemptTrace } from "../call/call-trace.ts";
import { type CallError, CallerGoneError } from "../errors/gateway-error.ts";
import type { Exchange } from "./exchange.ts";

/**
 * The headers of one attempt, with its span as the parent of what the upstream does. They replace the caller's
 * own `traceparent`, because the upstream's caller is the gateway.
 * @param headers names and values in turn
 */
export function withTraceparent(
  headers: readonly string[],
  { traceparent }: AttemptTrace,
): string[] {
  const result = headers.slice();
  for (let at = 0; at < result.length; at += 2)
    if (result[at] === "traceparent") {
      result[at + 1] = traceparent;
      return result;
    }
  result.push("traceparent", traceparent);
  return result;
}

/**
 * Ends the attempt's span: at once if no answer came, otherwise when the exchange has ended.
 * @param cancelled why the attempt was given up before that; null: it was not
 */
export function traceExchange(
  trace: AttemptTrace,
  exchange: Exchange,
  cancelled: CallError | null,
): void {
  const { failure } = exchange;
  if (cancelled !== null) trace.end(null, codeOf(cancelled));
  else if (failure !== null) trace.end(null, failure.error.code);
  else exchange.received.when(() => trace.end(exchange.status, null));
}

const codeOf = (reason: CallError): string =>
  reason instanceof CallerGoneError ? "caller_gone" : reason.code;

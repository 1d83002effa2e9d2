import type { ErrorCode, RouteConfig } from "@proj/gateway-protocol";
import type { EndpointName, TokenCounts } from "@proj/model-apis";
import type { SpanPlace } from "@proj/opentelemetry";
import type { Call } from "./call.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Outcome } from "./outcome.ts";
import type { Handler } from "./stage.ts";

/** A route as calls carry it, found once when a call is read. */
export interface Route {
  /** The route key: the configuration's own string object, whose hash every map already knows. */
  readonly model: string;
  readonly config: RouteConfig;
  readonly queue: RoutePlaces;
  /** The servers behind it. */
  readonly upstream: { readonly forward: Handler<Call> };
  readonly metrics: RouteMetrics;
  readonly traffic: { ended(call: EndedCall): void };
  /** The route that has replaced it, with its configuration and servers; itself if none has. */
  readonly latest: Route;
}

/** The places of a route. */
export interface RoutePlaces {
  readonly isPaused: boolean;
  /** The weights for requests that get a place from now on; null if no resume has named any. */
  readonly weight_version: string | null;
  /**
   * Takes a place at once, or returns false.
   * @param most how many places the key may hold; infinite: all, and the key is not counted
   */
  tryAcquire(key: string, most: number): boolean;
  /**
   * Resolves once the request has a place.
   * @throws GatewayError route_saturated, route_paused, or the cancellation's reason
   */
  acquire(key: string, cancellation: Cancellation, most: number): Promise<void>;
  release(key: string, most: number): void;
}

/** What is counted for the requests of one route. */
export interface RouteMetrics {
  /** Exposes a line for the endpoint from now on. */
  serve(endpoint: EndpointName): void;
  admitted(endpoint: EndpointName): void;
  refused(endpoint: EndpointName, reason: ErrorCode): void;
  /** Answered by the synthetic stop. */
  stopped(endpoint: EndpointName): void;
  /** Answered from another session's record. */
  replayed(endpoint: EndpointName): void;
  /** An engine was prompted with other token ids than it was sent. */
  promptMismatched(): void;
  finished(endpoint: EndpointName, request: FinishedRequest): void;
  /** Ignores whatever is not a count, because an upstream may send anything. */
  used(tokens: TokenCounts, cost_nano_usd: number | null): void;
}

/** How an admitted request ended. Times are in milliseconds, null for a stage that it never reached. */
export interface FinishedRequest {
  readonly status_code: number;
  readonly outcome: Outcome;
  readonly duration_ms: number;
  readonly queue_ms: number | null;
  readonly ttft_ms: number | null;
  /** Its span. @default null: it is not traced */
  readonly span?: ObservedSpan | null;
}

/** The span of a call, and when the call ended. */
export interface ObservedSpan extends SpanPlace {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What the last hour's traffic keeps of how a call ended. */
export interface EndedCall {
  readonly status_code: number;
  readonly duration_ms: number;
  readonly ttft_ms: number | null;
  /** Null if unknown; anything else that is not a count is ignored. */
  readonly completion_tokens: number | null;
}

import { parseSessionId, type RouteConfig } from "@proj/gateway-protocol";
import { GatewayError, gatewayDraining } from "../errors/gateway-error.ts";
import type { Caller } from "./access-control.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import type { ModelExchange } from "./model-exchange.ts";
import { corsHeaders } from "./origin-check.ts";
import { invalidSessionId } from "./paths.ts";
import { type BodyLimits, bodyPace, readBody } from "./read-body.ts";

/** Decides which model requests are read, and how much of each. */
export class Admission {
  readonly #parts: GatewayParts;
  readonly #bodyLimits: BodyLimits;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
    this.#bodyLimits = { ...bodyPace(parts.config), maxBytes: parts.config.max_body_bytes };
  }

  /** The caller and the session, known before the body is read. */
  admit({ req, path, headers }: ModelExchange): { caller: Caller; session_id: string | null } {
    const { readiness, originCheck, access } = this.#parts;
    const { session_segment } = path;
    const session_id = session_segment === null ? null : parseSessionId(session_segment);
    if (session_id !== null) headers.push("x-gateway-session-id", session_id);
    headers.push(...corsHeaders(originCheck.check(req)));
    if (readiness.ending.aborted) throw gatewayDraining();
    if (session_segment !== null && session_id === null) throw invalidSessionId();
    return { caller: access.authenticate(req, session_id), session_id };
  }

  /**
   * Reads the body, after every check that works without it: nothing else of a request costs as much.
   * @throws what readBody throws, and GatewayError session_closed, session_moved
   */
  readBody(exchange: ModelExchange, { scope }: Caller, session_id: string | null): Promise<Buffer> {
    const { buffered, config, registry, shares } = this.#parts;
    const bodyLimits = this.#bodyLimits;
    if (session_id === null) return readBody(exchange, bodyLimits, buffered, exchange.lease);
    if (scope === null) {
      registry.checkOpen(session_id, null);
      return readBody(exchange, bodyLimits, buffered, exchange.lease);
    }
    const share = shares.enter(session_id, scope);
    exchange.share = share;
    exchange.lease = share.buffered.lease();
    const maxBytes = Math.min(bodyLimits.maxBytes, config.session_key_limits.max_body_bytes);
    const read = (): Promise<Buffer> => {
      registry.checkOpen(session_id, scope.issued_at ?? null);
      return readBody(exchange, { ...bodyLimits, maxBytes }, share.buffered, exchange.lease);
    };
    if (registry.find(session_id) !== null) return read();
    // Also finds a session that was closed and then dropped from memory here.
    return Promise.resolve(registry.open(session_id, exchange.timings.startedAt)).then(read);
  }

  /** @throws GatewayError model_not_allowed */
  checkModel({ scope }: Caller, model: string): void {
    if (scope?.models === undefined || scope.models.includes(model)) return;
    throw new GatewayError(
      "model_not_allowed",
      `The session key does not allow the model '${model}'. It allows ${scope.models.join(", ")}.`,
      { param: "model" },
    );
  }

  /** How many places on a route the caller's session may hold; infinite for all. */
  maxPlaces({ scope }: Caller, { max_concurrency }: RouteConfig): number {
    if (scope === null) return Number.POSITIVE_INFINITY;
    const { max_route_share } = this.#parts.config.session_key_limits;
    return Math.max(1, Math.floor(max_concurrency * max_route_share));
  }
}

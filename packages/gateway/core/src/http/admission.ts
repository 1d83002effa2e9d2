import {
  parseSessionId,
  type RouteConfig,
  type SessionKeyLimitsConfig,
} from "@proj/gateway-protocol";
import type { BufferedBytes } from "../call/body-memory.ts";
import { GatewayError, gatewayDraining } from "../errors/gateway-error.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { AccessControl, Caller } from "./access-control.ts";
import type { ModelExchange } from "./model-exchange.ts";
import { corsHeaders, type OriginCheck } from "./origin-check.ts";
import { invalidSessionId } from "./paths.ts";
import { type BodyLimits, readBody } from "./read-body.ts";
import type { Readiness } from "./readiness.ts";
import type { SessionShares } from "./session-shares.ts";

export interface AdmissionOptions {
  readonly readiness: Readiness;
  readonly originCheck: OriginCheck;
  readonly access: AccessControl;
  readonly registry: SessionRegistry;
  readonly buffered: BufferedBytes;
  readonly shares: SessionShares;
  readonly bodyLimits: BodyLimits;
  readonly keyLimits: SessionKeyLimitsConfig;
}

/** Decides which model requests are read, and how much of each. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** The caller and the session, known before the body is read. */
  admit({ req, path, headers }: ModelExchange): { caller: Caller; session_id: string | null } {
    const { readiness, originCheck, access } = this.#options;
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
    const { bodyLimits, buffered, keyLimits, registry, shares } = this.#options;
    if (session_id === null) return readBody(exchange, bodyLimits, buffered, exchange.lease);
    if (scope === null) {
      registry.checkOpen(session_id, null);
      return readBody(exchange, bodyLimits, buffered, exchange.lease);
    }
    const share = shares.enter(session_id, scope);
    exchange.share = share;
    exchange.lease = share.buffered.lease();
    const maxBytes = Math.min(bodyLimits.maxBytes, keyLimits.max_body_bytes);
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
    return Math.max(1, Math.floor(max_concurrency * this.#options.keyLimits.max_route_share));
  }
}

import {
  parseSessionId,
  type RouteConfig,
  type SessionKeyLimitsConfig,
} from "@proj/gateway-protocol";
import type { BufferedBytes } from "../call/buffered-bytes.ts";
import type { Cancellation } from "../call/cancellation.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { LinkedList } from "../waiting/linked-list.ts";
import type { AccessControl, Caller } from "./access-control.ts";
import { corsHeaders } from "./cors-headers.ts";
import type { ModelExchange } from "./model-exchange.ts";
import type { OriginCheck } from "./origin-check.ts";
import { type BodyLimits, readBody } from "./read-body.ts";
import type { Readiness } from "./readiness.ts";
import { invalidSessionId } from "./session-path.ts";
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
  /** Requests whose bodies are still arriving. */
  readonly #uploads = new LinkedList<Cancellation>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Refuses the requests that are not calls yet: they are not worth waiting for. */
  cancelUploads(): void {
    const reason = draining();
    for (const cancellation of [...this.#uploads]) cancellation.cancel(reason);
  }

  /** The caller and the session, known before the body is read. */
  admit({ req, path, headers }: ModelExchange): { caller: Caller; session_id: string | null } {
    const { readiness, originCheck, access } = this.#options;
    const { session_segment } = path;
    const session_id = session_segment === null ? null : parseSessionId(session_segment);
    if (session_id !== null) headers.push("x-gateway-session-id", session_id);
    headers.push(...corsHeaders(originCheck.check(req)));
    if (readiness.refusesModelTraffic) throw draining();
    if (session_segment !== null && session_id === null) throw invalidSessionId();
    return { caller: access.authenticate(req, session_id), session_id };
  }

  /** Reads the body, after every check that works without it: nothing else of a request costs as much. */
  async readBody(
    exchange: ModelExchange,
    { scope }: Caller,
    session_id: string | null,
  ): Promise<Buffer> {
    const { bodyLimits, buffered, keyLimits, registry, shares } = this.#options;
    let limits = bodyLimits;
    let room = buffered;
    if (session_id !== null && scope !== null) {
      exchange.share = shares.enter(session_id, scope);
      room = exchange.share.buffered;
      exchange.lease = room.lease();
      limits = { ...limits, maxBytes: Math.min(limits.maxBytes, keyLimits.max_body_bytes) };
      // Also finds a session that was closed and then dropped from memory here.
      if (registry.find(session_id) === null)
        await registry.open(session_id, exchange.timings.startedAt);
    }
    if (session_id !== null) registry.checkOpen(session_id, scope?.issued_at ?? null);
    const place = this.#uploads.append(exchange.cancellation);
    try {
      return await readBody(exchange, limits, room, exchange.lease);
    } finally {
      this.#uploads.remove(place);
    }
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
  mostPlaces({ scope }: Caller, { max_concurrency }: RouteConfig): number {
    if (scope === null) return Number.POSITIVE_INFINITY;
    return Math.max(1, Math.floor(max_concurrency * this.#options.keyLimits.max_route_share));
  }
}

function draining(): GatewayError {
  return new GatewayError(
    "gateway_draining",
    "The gateway is shutting down. Try again, or try another gateway.",
    { retryAfterMs: 1_000 },
  );
}

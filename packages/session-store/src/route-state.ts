/** What a paused route does with requests: `drain` holds them as `hold` does. */
export type RoutePause = "hold" | "drain" | "refuse";

/** The state of a route, for all gateways of a storage. */
export interface RouteState {
  readonly model: string;
  /** Null: it forwards. */
  readonly pause: RoutePause | null;
  /** The weights that answer; null: nobody has said. */
  readonly weight_version: string | null;
  /** Larger after each change. */
  readonly revision: number;
}

export interface RouteChange {
  readonly model: string;
  readonly pause: RoutePause | null;
  /** @default the one that it has */
  readonly weight_version?: string | null | undefined;
}

/** How far a gateway has come with a route. */
export interface RouteReport {
  readonly model: string;
  /** The state that it obeys. */
  readonly revision: number;
  /** Requests that it has forwarded and whose answers have not ended. */
  readonly in_flight: number;
}

/** What another gateway said last. */
export interface GatewayReport {
  /** How long ago that was, in milliseconds. */
  readonly silent_ms: number;
  readonly routes: readonly RouteReport[];
}

export interface RoutesOfAll {
  readonly states: readonly RouteState[];
  readonly others: readonly GatewayReport[];
}

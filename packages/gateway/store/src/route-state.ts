/** What a paused route does with requests: `drain` holds them, as `hold` does. */
export type RoutePause = "hold" | "drain" | "refuse";

/** The state of a route, shared by all gateways of a storage. */
export interface RouteState {
  readonly model: string;
  /** Null: the route forwards requests. */
  readonly pause: RoutePause | null;
  /** The weights that answer; null: unknown. */
  readonly weight_version: string | null;
  /** Increases with each change. */
  readonly revision: number;
}

export interface RouteChange {
  readonly model: string;
  readonly pause: RoutePause | null;
  /** @default unchanged */
  readonly weight_version?: string | null | undefined;
}

/** How far a gateway has applied a route's state. */
export interface RouteReport {
  readonly model: string;
  /** The revision that it obeys. */
  readonly revision: number;
  /** Requests that it has forwarded and that have not been answered in full. */
  readonly in_flight: number;
}

/** Another gateway's last report. */
export interface GatewayReport {
  /** The age of the report, in milliseconds. */
  readonly silent_ms: number;
  readonly routes: readonly RouteReport[];
}

export interface RoutesOfAll {
  readonly states: readonly RouteState[];
  readonly others: readonly GatewayReport[];
}

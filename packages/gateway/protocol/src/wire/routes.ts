/** Answer of `GET /v1/routes`. */
export interface RouteListBody {
  readonly routes: readonly RouteStatusBody[];
}

/** Body of `POST /v1/routes/{key}/pause`. */
export interface PauseRouteBody {
  /**
   * `hold` admits requests and makes them wait; so does `drain`, which answers once none is in flight;
   * `refuse` answers them with 429.
   */
  readonly mode: "hold" | "drain" | "refuse";
  /** How long to wait for all gateways to obey. @default 60, at most 3600 */
  readonly timeout_s?: number | undefined;
  /**
   * Also pauses the route's engines in a mode of their own: `abort` cuts off the answers that they are sampling, `wait`
   * lets them end, `keep` goes on with them after the pause. @default the engines are not paused
   */
  readonly engine?: "abort" | "wait" | "keep" | undefined;
}

/** Body of `POST /v1/routes/{key}/resume`. */
export interface ResumeRouteBody {
  /** The weights that answer from now on: `meta_json.weight_version` of rows. @default the previous ones */
  readonly weight_version?: string | undefined;
  /** Whether to resume the route's engines, too, after telling them the version. @default false */
  readonly engine?: boolean | undefined;
}

/** The state of a route: answer of `pause` and `resume`. */
export interface RouteStatusBody {
  readonly model: string;
  /** Null while the route forwards requests. */
  readonly pause: "hold" | "drain" | "refuse" | null;
  readonly weight_version: string | null;
  /** At the answering gateway: forwarded requests whose answers have not ended. */
  readonly in_flight: number;
  /** At the answering gateway: requests waiting for a place. */
  readonly waiting: number;
}

/** Answer of `POST /v1/routes/reload`: keys of the routes that changed. */
export interface ReloadBody {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

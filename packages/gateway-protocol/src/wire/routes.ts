/** Answer of `GET /v1/routes`. */
export interface RouteListBody {
  readonly routes: readonly RouteStatusBody[];
}

/** Body of `POST /v1/routes/{key}/pause`. */
export interface PauseRouteBody {
  /**
   * `hold` admits requests and lets them wait; `drain` does too, and answers once none is in flight;
   * `refuse` answers them 429.
   */
  readonly mode: "hold" | "drain" | "refuse";
  /** How long to wait for all gateways to obey. @default 60, at most 3600 */
  readonly timeout_s?: number | undefined;
}

/** Body of `POST /v1/routes/{key}/resume`. */
export interface ResumeRouteBody {
  /** The weights that answer from here on: `meta_json.weight_version` of rows. @default the last ones */
  readonly weight_version?: string | undefined;
}

/** The state of a route: answer of `pause` and `resume`. */
export interface RouteStatusBody {
  readonly model: string;
  /** Null: it forwards. */
  readonly pause: "hold" | "drain" | "refuse" | null;
  readonly weight_version: string | null;
  /** Of the gateway that answers: requests forwarded whose answers have not ended. */
  readonly in_flight: number;
  /** Of the gateway that answers: requests that wait for a place. */
  readonly waiting: number;
}

/** Answer of `POST /v1/routes/reload`: keys of the routes that are other than before. */
export interface ReloadBody {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

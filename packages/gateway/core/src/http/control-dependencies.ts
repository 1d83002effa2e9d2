import type { ReviewQueue } from "@proj/session-store/answers";
import type { RouteReload } from "../route-reload.ts";
import type { RouteControl } from "../routes/route-control.ts";
import type { FairTurns } from "../waiting/fair-turns.ts";
import type { ConsolePage } from "./console-page.ts";
import type { GatewayParts } from "./gateway-parts.ts";

/** What the control endpoints read and change. */
export interface ControlDependencies extends GatewayParts {
  readonly routeControl: RouteControl;
  readonly reload: RouteReload;
  /** Reads with session keys: one at a time, so that one agent's do not hold up anybody else's session. */
  readonly agentReads: FairTurns;
  readonly reviews: ReviewQueue;
  /** For the operator, shown in the console. */
  readonly notices: () => readonly string[];
  /** Null: nothing is served for people. */
  readonly console: ConsolePage | null;
}

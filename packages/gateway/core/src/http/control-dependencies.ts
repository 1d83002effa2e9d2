import type { GatewayConfig } from "@proj/gateway-protocol";
import type { BrowsableStore } from "@proj/session-store";
import type { ReviewQueue } from "@proj/session-store/answers";
import type { BufferedBytes } from "../call/body-memory.ts";
import type { Engines } from "../engine/engines.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RouteReload } from "../route-reload.ts";
import type { RouteControl } from "../routes/route-control.ts";
import type { RouteTable } from "../routes/route-table.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import type { FairTurns } from "../waiting/fair-turns.ts";
import type { AccessControl } from "./access-control.ts";
import type { ConsolePage } from "./console-endpoints.ts";
import type { OriginCheck } from "./origin-check.ts";
import type { Readiness } from "./readiness.ts";
import type { SessionShares } from "./session-shares.ts";

/** The parts of the gateway that its control endpoints read and change. */
export interface ControlDependencies {
  readonly config: GatewayConfig;
  readonly access: AccessControl;
  readonly originCheck: OriginCheck;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly routes: RouteTable;
  readonly routeControl: RouteControl;
  readonly reload: RouteReload;
  readonly engines: Engines;
  readonly registry: SessionRegistry;
  readonly buffered: BufferedBytes;
  /** Of callers with session keys. */
  readonly shares: SessionShares;
  /** Reads with session keys: one at a time, so that one agent's do not hold up anybody else's session. */
  readonly agentReads: FairTurns;
  readonly store: BrowsableStore;
  readonly recorder: Pick<Recorder, "rows" | "bytes" | "lostRows">;
  readonly reviews: ReviewQueue;
  /** For the operator, shown in the console. */
  readonly notices: () => readonly string[];
  /** Null: nothing is served for people. */
  readonly console: ConsolePage | null;
  readonly onInternalError: (error: Error, request_id: string) => void;
}

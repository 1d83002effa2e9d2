import type { GatewayConfig } from "@proj/gateway-protocol";
import type { BrowsableStore } from "@proj/session-store";
import type { BufferedBytes } from "../call/body-memory.ts";
import type { Engines } from "../engine/engines.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Histories } from "../recording/histories.ts";
import type { Replays } from "../replay/replays.ts";
import type { RequestLog } from "../request-log/request-log.ts";
import type { RouteTable } from "../routes/route-table.ts";
import type { ServiceLog } from "../service-log/service-log.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { StoredObjects } from "../session/stored-objects.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import type { CallTracing } from "../tracing/call-tracing.ts";
import type { AccessControl } from "./access-control.ts";
import type { OriginCheck } from "./origin-check.ts";
import type { Readiness } from "./readiness.ts";
import type { SessionShares } from "./session-shares.ts";

/** What one gateway is made of; each member exists once. */
export interface GatewayParts {
  readonly config: GatewayConfig;
  readonly log: ServiceLog;
  readonly store: BrowsableStore;
  readonly routes: RouteTable;
  readonly engines: Engines;
  readonly metrics: Metrics;
  /** Null if calls are not traced. */
  readonly tracing: CallTracing | null;
  readonly requestLog: RequestLog;
  readonly recorder: Recorder;
  readonly registry: SessionRegistry;
  readonly histories: Histories;
  readonly replays: Replays;
  /** The objects of callers without a session. */
  readonly unboundObjects: StoredObjects;
  readonly buffered: BufferedBytes;
  readonly access: AccessControl;
  readonly originCheck: OriginCheck;
  readonly readiness: Readiness;
  /** Of callers with session keys. */
  readonly shares: SessionShares;
  /** A request failed by the gateway's own fault. */
  readonly onInternalError: (error: Error, request_id: string) => void;
}

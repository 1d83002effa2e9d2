import {
  fixedPaths,
  type GatewayConfig,
  type OverviewBody,
  type RouteOverview,
} from "@proj/gateway-protocol";
import type { BrowsableStore } from "@proj/session-store";
import { Router } from "express";
import type { RouteControl } from "../routes/route-control.ts";
import type { RouteTable } from "../routes/route-table.ts";
import { intervalElapsedMs, intervalMs } from "../routes/route-traffic.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import type { AccessControl } from "./access-control.ts";
import { sendJson } from "./control-answer.ts";
import { onlyMethods } from "./only-methods.ts";
import type { Readiness } from "./readiness.ts";

export interface OverviewDependencies {
  readonly config: GatewayConfig;
  readonly access: AccessControl;
  readonly readiness: Readiness;
  readonly routes: RouteTable;
  readonly routeControl: RouteControl;
  readonly registry: SessionRegistry;
  readonly recorder: Pick<Recorder, "rows" | "bytes" | "lostRows">;
  readonly store: BrowsableStore;
  readonly notices: () => readonly string[];
}

/** `GET /v1/overview`, shown by the console. */
export function overviewEndpoint(dependencies: OverviewDependencies): Router {
  const { access } = dependencies;
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(fixedPaths.overview)
    .get(async (req, res) => {
      access.authenticate(req, null);
      sendJson(res, await overview(dependencies));
    })
    .all(onlyMethods("GET", "HEAD"));
  return router;
}

async function overview(dependencies: OverviewDependencies): Promise<OverviewBody> {
  const { config, readiness, registry, recorder, store, notices } = dependencies;
  await readiness.refresh();
  // A disk that cannot be measured must not hide the rest.
  const file = await store.measure().catch(() => null);
  return {
    routes: routesOf(dependencies),
    storage: {
      status: readiness.status,
      type: store.storage_type,
      telemetry_mode: config.telemetry.mode,
      queue_rows: recorder.rows,
      queue_bytes: recorder.bytes,
      lost_rows: recorder.lostRows,
      file:
        file === null
          ? null
          : {
              wal_bytes: file.wal_bytes,
              free_bytes: file.free_bytes,
              checkpoints: file.checkpoints,
            },
    },
    sessions: registry.countByStatus(),
    notices: [...readiness.warnings.map(({ message }) => message), ...notices()],
    interval_ms: intervalMs,
    interval_elapsed_ms: intervalElapsedMs(),
  };
}

function routesOf({ routes, routeControl }: OverviewDependencies): RouteOverview[] {
  return [...routes.served].map(({ model, config, upstream, traffic }) => {
    const { endpoints, max_concurrency, max_queue } = config;
    return {
      ...routeControl.status(model),
      endpoints,
      max_concurrency,
      max_queue,
      replicas: upstream.statuses(),
      traffic: traffic.recent(),
    };
  });
}

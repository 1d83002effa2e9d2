import { fixedPaths, type OverviewBody, type RouteOverview } from "@proj/gateway-protocol";
import type { Express } from "express";
import { intervalElapsedMs, intervalMs } from "../routes/route-traffic.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { onlyRead } from "./only-methods.ts";

/** `GET /v1/overview`, shown by the console. */
export function addOverview(app: Express, dependencies: ControlDependencies): void {
  onlyRead(app, fixedPaths.overview, dependencies, () => overview(dependencies));
}

async function overview(dependencies: ControlDependencies): Promise<OverviewBody> {
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

function routesOf({ routes, routeControl }: ControlDependencies): RouteOverview[] {
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

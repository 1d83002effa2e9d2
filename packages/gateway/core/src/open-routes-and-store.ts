import type { GatewayConfig } from "@proj/gateway-protocol";
import { type BrowsableStore, openStore, type RouteState } from "@proj/session-store";
import type { Metrics } from "./metrics/metrics.ts";
import { RouteTable } from "./routes/route-table.ts";
import type { ServiceLog } from "./service-log/service-log.ts";

/** The routes and the storage, and the states that stored pauses give the routes. */
export async function openRoutesAndStore(
  config: GatewayConfig,
  metrics: Metrics,
  log: ServiceLog,
): Promise<{
  readonly routes: RouteTable;
  readonly store: BrowsableStore;
  readonly states: readonly RouteState[];
}> {
  const { timeouts } = config;
  // First, because routes can fail too, and hold nothing open before their first use.
  const routes = new RouteTable(config.llm_routes, { timeouts, openMetrics: metrics.openRoute });
  const store = await openStore({
    ...config,
    onWentBack: () =>
      log.warn(
        {},
        "the database went back: it lacks rows that it had acknowledged; sessions are read again",
      ),
  });
  // Other gateways must know of this one before it serves anything, so that a pause waits for it.
  const { states } = await store.exchangeRoutes([]).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return { routes, store, states };
}

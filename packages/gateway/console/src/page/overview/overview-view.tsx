import type { OverviewBody } from "@proj/gateway-protocol";
import { useMemo } from "preact/hooks";
import { useViewAnswer } from "../data/use-answer.ts";
import type { ViewProps } from "../shell/location.ts";
import { Notice } from "../text/notice.tsx";
import { visible } from "../text/visible.ts";
import { Chart } from "./chart.tsx";
import { RouteActions } from "./route-actions.tsx";
import { busiest, seriesOf } from "./route-figures.ts";
import { RouteTable } from "./route-table.tsx";
import { StorageHealth } from "./storage-health.tsx";
import { TryRoute } from "./try-route.tsx";
import "./overview.css";

const refreshMs = 2_000;

/** The gateway's state: its routes and their last hour, and its storage. */
export function OverviewView({ query }: ViewProps) {
  const { body, error } = useViewAnswer(
    "overview",
    (source, signal) => source.ask<OverviewBody>("/v1/overview", signal),
    refreshMs,
  );
  const routes = body?.routes ?? [];
  const wanted = query.get("route");
  const chosen = routes.find(({ model }) => model === wanted) ?? busiest(routes);
  const series = useMemo(
    () =>
      chosen === undefined || body === null ? null : seriesOf(chosen.traffic, body, Date.now()),
    [chosen],
  );
  return (
    <div class="page overview">
      <Notice error={error} />
      {body === null && error === null && <p class="empty">Loading the overview …</p>}
      {body !== null && body.notices.length > 0 && (
        <ul class="notices" aria-label="Warnings">
          {body.notices.map((notice) => (
            <li key={notice}>{visible(notice)}</li>
          ))}
        </ul>
      )}
      {body !== null && <RouteTable {...{ routes, chosen }} interval_ms={body.interval_ms} />}
      {chosen !== undefined && series !== null && (
        <section aria-label={`Route ${visible(chosen.model)}`} key={chosen.model}>
          <h2>
            {visible(chosen.model)} <span class="quiet">in the last hour</span>
          </h2>
          <RouteActions route={chosen} />
          <div class="charts">
            <Chart title="Calls" unit="per minute" series={series.calls} />
            <Chart title="Latency" unit="in seconds" series={series.latency} />
            <Chart title="Tokens" unit="per second" series={series.tokens} />
          </div>
          <TryRoute route={chosen} />
        </section>
      )}
      {body !== null && <StorageHealth storage={body.storage} sessions={body.sessions} />}
    </div>
  );
}

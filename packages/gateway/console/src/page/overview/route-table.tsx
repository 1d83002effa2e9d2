import type { RouteOverview } from "@proj/gateway-protocol";
import { hrefOf } from "../shell/location.ts";
import { TableHead } from "../table/table-head.tsx";
import { compact, count, duration } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { figuresOf } from "./route-figures.ts";

interface RouteTableProps {
  readonly routes: readonly RouteOverview[];
  readonly interval_ms: number;
  /** The route whose last hour is drawn below. */
  readonly chosen: RouteOverview | undefined;
}

const columns = [
  ...([["Route"], ["State"], ["Servers"], ["Waiting", "number"]] as const),
  ...([
    ["Calls, last hour", "number"],
    ["p50, p95", "number"],
  ] as const),
  ["Tokens per second", "number"] as const,
];

/** All routes and their state. */
export function RouteTable({ routes, interval_ms, chosen }: RouteTableProps) {
  return (
    <table class="list routes">
      <caption class="hidden">Routes</caption>
      <TableHead columns={columns} />
      <tbody>
        {routes.map((route) => {
          const { calls, failed, p50_ms, p95_ms, tokens_per_s } = figuresOf(route, interval_ms);
          return (
            <tr key={route.model} class={route === chosen ? "chosen" : ""}>
              <td>
                <a
                  class="entry"
                  href={hrefOf("overview", null, { route: route.model })}
                  aria-current={route === chosen ? "true" : undefined}
                >
                  {visible(route.model)}
                </a>
              </td>
              <td>
                <RouteState route={route} />
              </td>
              <td>
                <Replicas route={route} />
              </td>
              <td class="number" data-name="waiting">
                {count(route.waiting)} <span class="quiet">of {count(route.max_queue)}</span>
              </td>
              <td class="number" data-name="calls">
                {count(calls)}
                {failed > 0 && <span class="bad">, {count(failed)} failed</span>}
              </td>
              <td class="number" data-name="p50, p95">
                {p50_ms === null ? "–" : `${duration(p50_ms)}, ${duration(p95_ms ?? p50_ms)}`}
              </td>
              <td class="number" data-name="tokens per second">
                {compact(tokens_per_s)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function RouteState({ route }: { readonly route: RouteOverview }) {
  const { pause, in_flight, max_concurrency } = route;
  const load = `${count(in_flight)} of ${count(max_concurrency)} in flight`;
  return (
    <>
      {pause !== null && <span class="state failed">paused ({pause})</span>}{" "}
      <span class={in_flight > 0 ? "state busy" : "state"}>{load}</span>
      {route.weight_version !== null && (
        <span class="quiet"> weights {visible(route.weight_version)}</span>
      )}
    </>
  );
}

function Replicas({ route: { replicas } }: { readonly route: RouteOverview }) {
  return (
    <ul class="replicas">
      {replicas.map(({ replica, asked, ejected, in_flight }) => (
        <li key={replica}>
          <span class={!asked ? "quiet" : ejected ? "bad" : "gain"}>
            {!asked ? "not yet asked" : ejected ? "ejected" : "healthy"}
          </span>{" "}
          <code>{visible(replica)}</code>
          {replicas.length > 1 && <span class="quiet"> {count(in_flight)} in flight</span>}
        </li>
      ))}
    </ul>
  );
}

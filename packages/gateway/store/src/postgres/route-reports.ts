import { type QueryRunner, statement } from "@proj/database";
import { changeRouteSql } from "../queries/routes/change-route.ts";
import type { GatewayReport, RouteChange, RouteReport, RouteState } from "../route-state.ts";

/** Gateways silent for this long are forgotten, in seconds. */
const forgottenAfterS = 24 * 60 * 60;

const now = "extract(epoch from clock_timestamp())::double precision";

const change = statement<RouteState>(changeRouteSql("$1", "$2", "$3"));

const write = statement(`
  insert into gateway_reports (gateway_id, seen_at, routes) values ($1, ${now}, $2)
  on conflict (gateway_id) do update set seen_at = excluded.seen_at, routes = excluded.routes`);

const readOthers = statement<{ readonly silent_ms: number; readonly routes: string }>(`
  select (${now} - seen_at) * 1000 as silent_ms, routes from gateway_reports where gateway_id <> $1`);

const forget = statement(
  `delete from gateway_reports where gateway_id = $1 or seen_at < ${now} - ${forgottenAfterS}`,
);

/** The reports on routes that the gateways of a database exchange. */
export class RouteReports {
  readonly #gateway_id: string;

  constructor(gateway_id: string) {
    this.#gateway_id = gateway_id;
  }

  async change(
    runner: QueryRunner<unknown>,
    { model, pause, weight_version = null }: RouteChange,
  ): Promise<RouteState> {
    const [state] = (await runner.run(change, [model, pause, weight_version])).rows;
    if (state === undefined) throw new Error("A statement that inserts or updates has its row.");
    return state;
  }

  async exchange(
    runner: QueryRunner<unknown>,
    reports: readonly RouteReport[],
  ): Promise<GatewayReport[]> {
    await runner.run(write, [this.#gateway_id, JSON.stringify(reports)]);
    const { rows } = await runner.run(readOthers, [this.#gateway_id]);
    return rows.map(({ silent_ms, routes }) => ({ silent_ms, routes: JSON.parse(routes) }));
  }

  /** Removes this gateway's report when it leaves, so that nobody waits for it. */
  async leave(runner: QueryRunner<unknown>): Promise<void> {
    await runner.run(forget, [this.#gateway_id]);
  }
}

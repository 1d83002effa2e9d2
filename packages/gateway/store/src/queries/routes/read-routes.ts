import { query } from "@proj/database";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { RouteState } from "../../route-state.ts";

const read = query(({ db }: StoreSource) =>
  db
    .selectFrom("route_states")
    .select(["model", "pause", "weight_version", "revision"])
    .orderBy("model"),
);

export async function readRoutes(runner: StoreRunner): Promise<readonly RouteState[]> {
  return (await runner.run(read)).rows;
}

import { expect, test } from "vitest";
import { sharedDatabase } from "../temporary-database.ts";

const database = sharedDatabase();

test("finds the simulations beside a session's own, each by its newest attempt", async () => {
  for (const [simulation_id, attempt, group_id] of [
    ["a", 1, "g"],
    ["a", 2, "g"],
    ["b", 1, "g"],
    ["c", 1, null],
    ["c", 2, null],
  ] as const)
    await database.execute(
      `insert into job_environments
         (session_id, job_id, simulation_id, attempt, group_id, status, created_at)
         values (?, 'beside', ?, ?, ?, 'finished', '2026-01-02T03:04:05.678Z')`,
      ...[`${simulation_id}${attempt}`, simulation_id, attempt, group_id],
    );
  const namesOf = async (session_id: string) => {
    const found = await database.store.browser.readNeighbours(session_id);
    const { previous, next, group } = found ?? { previous: null, next: null, group: [] };
    return [previous?.session_id, next?.session_id, group.map((one) => one.session_id)];
  };
  expect(await namesOf("b1")).toEqual(["a2", "c2", ["a2", "b1"]]);
  expect(await namesOf("a2")).toEqual([undefined, "b1", ["a2", "b1"]]);
  expect(await namesOf("c1")).toEqual(["b1", undefined, []]);
  expect(await database.store.browser.readNeighbours("unknown")).toBeNull();
});

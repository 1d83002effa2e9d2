import { expect, test } from "vitest";
import { sharedDatabase } from "../temporary-database.ts";

const database = sharedDatabase();

test("a route keeps the state it was given last, and its weights until others are given", async () => {
  const { store } = database;
  expect(await store.readRoutes()).toEqual([]);
  const paused = await store.changeRoute({ model: "policy", pause: "hold" });
  expect(paused).toEqual({ model: "policy", pause: "hold", weight_version: null, revision: 1 });
  await store.changeRoute({ model: "policy", pause: null, weight_version: "v2" });
  await store.changeRoute({ model: "org/other", pause: "refuse" });
  const drained = await store.changeRoute({ model: "policy", pause: "drain" });
  expect(drained).toEqual({ model: "policy", pause: "drain", weight_version: "v2", revision: 3 });
  const states = await store.readRoutes();
  expect(states.map(({ model, pause }) => [model, pause])).toEqual([
    ["org/other", "refuse"],
    ["policy", "drain"],
  ]);
  expect((await store.exchangeRoutes([])).states).toEqual(states);
});

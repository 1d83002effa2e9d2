import { expect, test } from "vitest";
import { openPostgresStore } from "../../src/postgres/open-postgres-store.ts";
import { sharedDatabase } from "../temporary-database.ts";

const database = sharedDatabase();

test("gateways report to each other how far they obey, until they leave", async () => {
  const other = await openPostgresStore({ db_url: database.db_url });
  const report = { model: "policy", revision: 3, in_flight: 2 };
  expect((await other.exchangeRoutes([report])).others).toEqual([]);
  const { others } = await database.store.exchangeRoutes([]);
  expect(others).toEqual([{ silent_ms: expect.any(Number), routes: [report] }]);
  await other.leaveRoutes();
  expect((await database.store.exchangeRoutes([])).others).toEqual([]);
  await other.close();
});

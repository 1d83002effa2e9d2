import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSqliteJobStore } from "@proj/session-store";
import { countModules, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

test("launcher status loads what reads a database, and neither agents nor exports", async () => {
  await using folder = await temporaryFolder();
  const db_url = `sqlite://${join(folder.path, "gateway.db")}`;
  await (await openSqliteJobStore({ db_url })).close();
  expect(await countModules(bin, ["status", "--db-path", db_url])).toBeLessThanOrEqual(300);
});

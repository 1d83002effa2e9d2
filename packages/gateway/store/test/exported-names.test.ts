import * as sessionStore from "@proj/session-store";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(sessionStore).sort()).toEqual([
    "StoreInUseError",
    "StoreReplacedError",
    "StoreSchemaError",
    "StoreUnavailableError",
    "backupSqliteStore",
    "createTimeOrderedId",
    "monotonicMs",
    "openJobReader",
    "openJobStore",
    "openPostgresJobStore",
    "openPostgresStore",
    "openSqliteCopy",
    "openSqliteJobStore",
    "openSqliteStore",
    "openStore",
    "storageKinds",
  ]);
});

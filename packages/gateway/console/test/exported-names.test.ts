import * as exported from "@proj/console";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(exported).sort()).toEqual([
    "ExportFileError",
    "QueryError",
    "browsed",
    "consolePath",
    "createViewServer",
    "dollars",
    "jobPage",
    "jobs",
    "openExport",
    "rows",
    "servePage",
    "simulations",
    "storagePage",
    "storedSessions",
    "summary",
    "usage",
  ]);
});

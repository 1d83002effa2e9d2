import * as exported from "@proj/console";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(exported).sort()).toEqual([
    "QueryError",
    "browsed",
    "consolePath",
    "createViewServer",
    "jobs",
    "pageWithData",
    "rows",
    "servePage",
    "simulations",
    "storedSessions",
    "summary",
    "usage",
  ]);
});

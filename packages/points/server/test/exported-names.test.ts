import * as pointsServer from "@proj/points-server";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(pointsServer).sort()).toEqual([
    "CursorConflictError",
    "ImportError",
    "NoSnapshotError",
    "Operations",
    "ProgramChangeError",
    "ProgramError",
    "SnapshotGoneError",
    "SnapshotSupersededError",
    "StoreSchemaError",
    "StoreUnavailableError",
    "checkSignature",
    "demoContent",
    "demoEvents",
    "demoProgram",
    "exportRanking",
    "hermesSource",
    "isAddress",
    "jupiterSource",
    "loadSettings",
    "openPointsStore",
    "parseProgram",
    "parseSettings",
    "pointsListener",
    "rankingNames",
    "startPrices",
    "startSnapshots",
  ]);
});

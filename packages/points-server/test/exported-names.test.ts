import * as pointsServer from "@proj/points-server";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(pointsServer).sort()).toEqual([
    "ImportError",
    "ProgramError",
    "SettingsError",
    "SnapshotGoneError",
    "SnapshotSupersededError",
    "StoreSchemaError",
    "StoreUnavailableError",
    "checkSignature",
    "demoContent",
    "demoEvents",
    "demoProgram",
    "isAddress",
    "openPointsStore",
    "parseProgram",
    "parseSettings",
    "pointsListener",
    "startSnapshots",
  ]);
});

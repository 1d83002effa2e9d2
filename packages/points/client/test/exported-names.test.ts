import * as pointsClient from "@proj/points-client";
import * as wire from "@proj/points-client/wire";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(pointsClient).sort()).toEqual([
    "ApiError",
    "ConnectionError",
    "FallbackError",
    "HttpError",
    "InvalidAnswerError",
    "NumericStringError",
    "PagedLeaderboard",
    "SnapshotGoneError",
    "TimeoutError",
    "createPointsClient",
    "formattedText",
    "numericToBigInt",
    "scaledText",
  ]);
  expect(Object.keys(wire)).toEqual(["rankingNames", "rankings"]);
});

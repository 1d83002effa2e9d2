import * as pointsProtocol from "@proj/points-protocol";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(pointsProtocol).sort()).toEqual(["rankings"]);
});

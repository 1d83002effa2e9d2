import * as publicNames from "@proj/sequences";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(publicNames).sort()).toEqual([
    "cutFinishes",
    "promptResponse",
    "sequences",
    "shifted",
  ]);
});

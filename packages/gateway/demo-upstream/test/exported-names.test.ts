import * as demoUpstream from "@proj/demo-upstream";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(demoUpstream).sort()).toEqual(["startDemoUpstream"]);
});

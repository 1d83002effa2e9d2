import { expect, test } from "vitest";
import * as protocol from "../src/index.ts";

test("the public names change only on purpose", () => {
  expect(Object.keys(protocol).sort()).toEqual([
    "ConfigError",
    "closestNames",
    "configSchema",
    "defaultBaseSessionPath",
    "errorKinds",
    "fixedPaths",
    "gatewayBaseUrl",
    "gatewayPaths",
    "hopByHopHeaders",
    "isSessionId",
    "loadConfig",
    "longestSessionId",
    "maskUrl",
    "maskUrlsInText",
    "maskedConfig",
    "parseConfig",
    "parseSessionId",
    "publicDbUrl",
    "readRouteKeys",
    "readRouteModels",
    "sessionKey",
    "sessionKeyPrefix",
  ]);
});

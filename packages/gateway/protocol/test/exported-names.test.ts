import { expect, test } from "vitest";
import * as protocol from "../src/index.ts";

test("the public names change only on purpose", () => {
  expect(Object.keys(protocol).sort()).toEqual([
    "ConfigError",
    "SecretMask",
    "closestNames",
    "configSchema",
    "defaultBaseSessionPath",
    "errorKinds",
    "everyPosition",
    "fixedPaths",
    "gatewayBaseUrl",
    "gatewayPaths",
    "hopByHopHeaders",
    "isSecretName",
    "isSessionId",
    "loadConfig",
    "longestSessionId",
    "maskUrl",
    "maskUrlsInText",
    "maskedConfig",
    "parseConfig",
    "parseMemberPath",
    "parseSessionId",
    "publicDbUrl",
    "questionableSettings",
    "readRouteKeys",
    "readRouteModels",
    "readSessionKey",
    "sessionKey",
    "sessionKeyPrefix",
  ]);
});

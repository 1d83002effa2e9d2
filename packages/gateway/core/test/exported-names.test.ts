import * as gatewayCore from "@proj/gateway-core";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(gatewayCore).sort()).toEqual([
    "GatewayError",
    "checkLive",
    "createGateway",
    "createGatewayOnceStorageAnswers",
    "createServiceLog",
  ]);
});

import * as launcherClient from "@proj/launcher-client";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(launcherClient).sort()).toEqual([
    "EvaluatorError",
    "PreflightError",
    "RuntimeError",
    "SimulationManager",
    "StartupError",
    "closeSession",
    "commandEvaluator",
    "commandRuntime",
    "commitReward",
    "createGatewayClient",
    "exportTrajectories",
    "findRewardStep",
    "functionEvaluator",
    "functionRuntime",
    "httpEvaluator",
    "httpRuntime",
    "preflight",
    "readConversation",
    "readFailures",
    "resultEvaluator",
    "sessionSteps",
    "stepJson",
    "upstreamRefusal",
  ]);
});

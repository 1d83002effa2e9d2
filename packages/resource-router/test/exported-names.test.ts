import * as resourceRouter from "@proj/resource-router";
import * as client from "@proj/resource-router/client";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(resourceRouter).sort()).toEqual([
    "Problem",
    "answerMethodNotAllowed",
    "answerNotImplemented",
    "badRequest",
    "createRouter",
    "created",
    "group",
    "noContent",
    "notFound",
    "reply",
    "resource",
    "updated",
  ]);
  expect(Object.keys(client).sort()).toEqual(["RequestFailedError", "createResourceClient"]);
});

import * as publicNames from "@proj/model-apis";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(publicNames).sort()).toEqual([
    "EventFraming",
    "InvalidRequest",
    "NotSupportedByEngine",
    "apiNames",
    "apiOf",
    "beginsLike",
    "canGoOn",
    "createBodySplicer",
    "endpointPaths",
    "endpoints",
    "endpointsByName",
    "formOf",
    "keyHeaders",
    "namesModel",
    "noTokens",
    "openaiErrorBody",
    "outlineRequest",
    "parseBesidesHistory",
    "readAsked",
    "readPath",
    "readPlainAnswer",
    "readRequestBody",
    "requestPath",
    "sharedEnd",
    "streamQuery",
    "tokensOf",
  ]);
});

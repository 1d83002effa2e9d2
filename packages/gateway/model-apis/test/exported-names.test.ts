import * as publicNames from "@proj/model-apis";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(publicNames).sort()).toEqual([
    "InvalidRequest",
    "NotSupportedByEngine",
    "apiNames",
    "apiOf",
    "beginsAsEvents",
    "beginsLike",
    "canGoOn",
    "contentCodings",
    "createBodySplicer",
    "decodeContent",
    "endpointPaths",
    "endpoints",
    "endpointsByName",
    "noTokens",
    "openaiErrorBody",
    "outlineRequest",
    "parseBesidesHistory",
    "readPlainAnswer",
    "readRequestBody",
    "sharedEnd",
    "stopTexts",
    "tellingBytes",
    "tokensOf",
  ]);
});

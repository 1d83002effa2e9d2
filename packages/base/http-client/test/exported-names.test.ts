import * as httpClient from "@proj/http-client";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(httpClient).sort()).toEqual([
    "ApiError",
    "ConnectionError",
    "HttpError",
    "InvalidAnswerError",
    "TimeoutError",
    "createHttpClient",
    "poll",
    "retryAfterMs",
    "sleep",
  ]);
});

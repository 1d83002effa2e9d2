import { STATUS_CODES } from "node:http";
import { expect, test } from "vitest";
import { statusTitles } from "../src/answer/status-titles.ts";

test("the titles of error statuses are the same as Node's", () => {
  const errors = Object.entries(STATUS_CODES).filter(([status]) => Number(status) >= 400);
  expect(statusTitles).toEqual(Object.fromEntries(errors));
});

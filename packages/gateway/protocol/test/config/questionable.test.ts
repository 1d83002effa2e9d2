import { expect, test } from "vitest";
import { questionableSettings } from "../../src/index.ts";
import { parseRoute } from "./config-text.ts";

test("a base_url without a version path is questioned", () => {
  expect(questionableSettings(parseRoute("base_url: https://api.openai.com"))).toEqual([
    "the base_url of route 'small' has no version path: requests go to https://api.openai.com/chat/completions, and most servers expect https://api.openai.com/v1/chat/completions",
  ]);
});

test.each([
  ["https://api.openai.com/v1"],
  ["https://generativelanguage.googleapis.com/v1beta/openai"],
  ["https://r.openai.azure.com/openai/deployments/d?api-version=2024-10-21"],
])("%s is not", (base_url) => {
  expect(questionableSettings(parseRoute(`base_url: ${base_url}`))).toEqual([]);
});

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

test.each([
  [
    "https://api.anthropic.com/v1",
    "cached_input, cache_write, cache_write_1h, server_tools.web_search",
  ],
  ["https://eu.api.openai.com/v1", "cached_input, server_tools.web_search"],
])("prices without what the provider at %s bills apart are questioned", (base_url, missing) => {
  const [host] = new URL(base_url).hostname.split(".").slice(-2, -1);
  const questions = (price: string): string[] =>
    questionableSettings(parseRoute(`base_url: ${base_url}\nprices: [${price}]`));
  expect(questions("{ input: 3, output: 15 }")).toEqual([
    `the prices of route 'small' have no ${missing}, which ${host}.com bills apart: costs may be recorded wrongly`,
  ]);
  const all =
    "cached_input: 1, cache_write: 1, cache_write_1h: 1, server_tools: { web_search: 10 }";
  expect(questions(`{ input: 3, output: 15, ${all} }`)).toEqual([]);
  // The latest price counts.
  const later = `{ from: 2026-05-01, input: 3, output: 15, ${all} }`;
  expect(questions(`${later}, { input: 3, output: 15 }`)).toEqual([]);
});

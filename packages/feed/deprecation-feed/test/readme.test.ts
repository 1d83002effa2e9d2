import { quickstartOf } from "@proj/test-kit";
import { expect, test } from "vitest";
import * as consumer from "../src/consumer.ts";
import * as feed from "../src/index.ts";

test("the README's code is the example", () => {
  const { readme, block } = quickstartOf(import.meta.url);
  expect(readme).toContain(block);
});

test("the example runs, and its assertions hold", async () => {
  await expect(import("../examples/quickstart.ts")).resolves.toBeDefined();
});

test("the public names change only on purpose", () => {
  expect(Object.keys(consumer).sort()).toEqual([
    "FeedError",
    "checkModels",
    "checkSentence",
    "feedWarnings",
    "readFeed",
  ]);
  expect(Object.keys(feed).sort()).toEqual([
    "FeedError",
    "NothingReadError",
    "OutputError",
    "PublishedSite",
    "StateError",
    "annotations",
    "baselineOf",
    "beyondBaseline",
    "buildFeed",
    "checkBadge",
    "checkModels",
    "checkSentence",
    "collect",
    "feedListener",
    "feedWarnings",
    "findModels",
    "isOnPlatform",
    "jobSummary",
    "notifyOfChanges",
    "parseBaseline",
    "providers",
    "readFeed",
    "reportText",
    "rollUp",
    "rowChanges",
    "sarif",
    "siteFiles",
    "startDailyRun",
    "suggestModels",
  ]);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as consumer from "../src/consumer.ts";
import * as feed from "../src/index.ts";

const folder = new URL("..", import.meta.url);

test("the README's code is the example", () => {
  const readme = readFileSync(new URL("README.md", folder), "utf8");
  const example = readFileSync(new URL("examples/quickstart.ts", folder), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
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

import { checkModels } from "@proj/deprecation-feed";
import { expect, test } from "vitest";
import { parseFeed } from "../../src/consumer/parse-feed.ts";

const today = "2026-11-20";

const feed = parseFeed(
  JSON.stringify({
    items: [
      item("OpenAI", "gpt-old", { shutdown_date: "2026-10-01", replacement_models: ["gpt-new"] }),
      item("OpenAI", "gpt-soon", { shutdown_date: "2026-12-20", aliases: ["gpt-soon-2025-01-01"] }),
      item("Azure", "gpt-soon", { shutdown_date: "2026-12-01" }),
      item("OpenAI", "gpt-later", { shutdown_date: "2027-06-01" }),
      item("OpenAI", "gpt-undated", { shutdown_text: "not sooner than May 2027" }),
      item("OpenAI", "gpt-soon-2025-01-01", { shutdown_date: "2027-01-01", aliases: ["gpt-soon"] }),
      { title: "a date moved", _deprecation_change: { model_id: "gpt-later" } },
      { title: "an item of another kind" },
    ],
  }),
  "the feed",
  {},
);

function item(provider: string, model_id: string, facts: object) {
  const url = `https://docs.example/${provider}`;
  return { url, _deprecation: { provider, model_id, ...facts } };
}

const verdicts = (models: readonly string[], options = {}) =>
  checkModels(models, feed, { today, ...options }).map(({ verdict }) => verdict);

test("a model that has ended, or ends within the days, is told from one that ends later", () => {
  const models = ["gpt-old", "gpt-soon", "gpt-later", "gpt-undated", "gpt-new"];
  const expected = ["ending", "ending", "deprecated", "deprecated", "unknown"];
  expect(verdicts(models)).toEqual(expected);
  expect(verdicts(models, { withinDays: 5 })[1]).toBe("deprecated");
  expect(verdicts(models, { withinDays: 365 })[2]).toBe("ending");
});

test.each([
  [11, "ending"],
  [10, "deprecated"],
])("a model that shuts down in 11 days is, within %i, %s", (withinDays, verdict) => {
  expect(verdicts(["gpt-soon"], { withinDays })).toEqual([verdict]);
});

test("what is known is given as the feed has it, the soonest shutdown first", () => {
  expect(checkModels(["gpt-soon"], feed, { today })).toMatchObject([
    {
      model: "gpt-soon",
      notices: [
        { provider: "Azure", days_left: 11, url: "https://docs.example/Azure" },
        { provider: "OpenAI", days_left: 30 },
      ],
    },
  ]);
});

test("another id that the provider gives for the model is known too, behind the model's own", () => {
  const [dated] = checkModels(["gpt-soon-2025-01-01"], feed, { today });
  expect(dated?.notices).toMatchObject([{ model_id: "gpt-soon-2025-01-01", days_left: 42 }]);
  const [alias] = checkModels(
    ["m-latest"],
    parseFeed(JSON.stringify({ items: [item("Acme", "m-1", { aliases: ["m-latest"] })] }), "", {}),
  );
  expect(alias?.notices).toMatchObject([{ model_id: "m-1" }]);
});

test("nothing is guessed from a likeness of names", () => {
  const models = ["gpt-old-2025-01-01", "openai/gpt-old", "GPT-old", "gpt", "gpt-old "];
  expect(new Set(verdicts(models))).toEqual(new Set(["unknown"]));
});

test.each(["Azure", "azure"])("only what %s says counts where it is asked for", (provider) => {
  const options = { today, providers: [provider] };
  const [soon, old] = checkModels(["gpt-soon", "gpt-old"], feed, options);
  expect(soon?.notices).toMatchObject([{ provider: "Azure" }]);
  expect(old?.verdict).toBe("unknown");
});

test("a provider of which the feed has nothing is an error, or a misspelling would pass", () => {
  const options = { today, providers: ["OpenAi", "Azuer"] };
  expect(() => checkModels(["gpt-old"], feed, options)).toThrow(
    /nothing of 'Azuer'; it has OpenAI, Azure/,
  );
});

test("each model is looked up once", () => {
  expect(verdicts(["gpt-old", "gpt-old"])).toEqual(["ending"]);
});

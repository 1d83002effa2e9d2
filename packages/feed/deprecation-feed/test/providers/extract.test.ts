import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { looksLikeModelId } from "../../src/extraction/model-ids.ts";
import { awsBedrock } from "../../src/providers/aws-bedrock.ts";
import { factsOf } from "./facts.ts";
import { ownPages } from "./pages.ts";

describe.each(ownPages())("$provider.label, a page of our own", ({ provider, text, facts }) => {
  const notices = provider.extract(text);

  test("every model with information on its end is a notice, and nothing else is", () => {
    expect(factsOf(notices)).toEqual(facts);
  });

  test("every notice has its source text and anchor", () => {
    for (const notice of notices) {
      const [start = ""] = notice.model_id.toLowerCase().split(/[-. ]/);
      expect(notice.source_text.toLowerCase()).toContain(start);
      expect(notice.source_text).not.toContain("`");
      expect(notice.anchor).not.toBe("");
    }
  });

  test("ids look like ids", () => {
    expect(notices.map(({ model_id }) => model_id).filter((id) => !looksLikeModelId(id))).toEqual(
      [],
    );
  });

  test("an empty page, half a page and a login page give no false notices", () => {
    expect(provider.extract("")).toEqual([]);
    expect(provider.extract("<html><body><h1>Sign in</h1><form></form></body></html>")).toEqual([]);
    const half = text.slice(0, text.lastIndexOf("\n", text.length / 2));
    const known = new Set(facts.map(({ model_id }) => model_id));
    const found = provider.extract(half).map(({ model_id }) => model_id);
    expect(found.filter((id) => !known.has(id))).toEqual([]);
  });
});

test("AWS Bedrock's page gives the same notices as Markdown, with a list instead of the table", () => {
  const page = new URL("../fixtures/aws-bedrock-list.md", import.meta.url);
  const facts = ownPages().find(({ provider }) => provider === awsBedrock)?.facts;
  const notices = awsBedrock.extract(readFileSync(page, "utf8"));
  expect(factsOf(notices)).toEqual(facts);
  expect(notices).toHaveLength(5);
  expect(notices[0]?.anchor).toBe("versions-for-legacy-and-eol");
});

import { describe, expect, test } from "vitest";
import {
  announcementInHeadings,
  announcementInSentences,
} from "../../src/extraction/announcements.ts";
import { noticesFromLists } from "../../src/extraction/list-notices.ts";
import { readPage } from "../../src/extraction/page.ts";
import { noticesFromSentences } from "../../src/extraction/sentence-notices.ts";
import type { Notice } from "../../src/notice/notice.ts";

const idsOf = (notices: readonly Notice[]): readonly string[] =>
  notices.map(({ model_id }) => model_id);

describe("an announcement", () => {
  const [section] = readPage("text").sections;
  const sectionOf = (page: string) =>
    readPage(page).sections.at(-1) ??
    section ?? { headings: [], blocks: [], dateOrder: "unknown" as const };

  test("is dated by the nearest heading that begins with a day", () => {
    expect(announcementInHeadings(sectionOf("## 2026-04-14: A\n\n### B"))).toBe("2026-04-14");
    expect(announcementInHeadings(sectionOf("## Three models end on 2026-04-14"))).toBe("");
  });

  test("is dated by a sentence that says when customers were informed", () => {
    const page = "It ends on May 4, 2026. In short, on March 2, 2026, we emailed everyone.";
    expect(announcementInSentences(sectionOf(page))).toBe("2026-03-02");
    expect(announcementInSentences(sectionOf("In March 2026, we emailed everyone."))).toBe("");
  });
});

describe("a list", () => {
  const fromLists = (page: string): readonly Notice[] =>
    noticesFromLists(readPage(page), { hasAlternatives: true });

  test("of ending models gives them the day of the sentence before it", () => {
    const page =
      "Effective May 4th, 2026, these models will be retired:\n\n* `a-1`\n* `b-1` (and the alias `b`)\n";
    expect(fromLists(page)).toMatchObject([
      { model_id: "a-1", shutdown_date: "2026-05-04" },
      { model_id: "b-1", aliases: ["b"], shutdown_date: "2026-05-04" },
      { model_id: "b", aliases: ["b-1"], shutdown_date: "2026-05-04" },
    ]);
  });

  test("of deprecations has no shutdown date, and ignores the day when customers were informed", () => {
    const page =
      "On May 1, 2026, we announced this. Effective May 4, 2026, deprecations begin.\n\nDeprecated models:\n\n* `a-1`\n";
    expect(fromLists(page)).toMatchObject([{ deprecation_date: "2026-05-04", shutdown_date: "" }]);
    const told =
      "On May 1, 2026, we announced that these models will be retired on June 4, 2026:\n\n* `a-1`\n";
    expect(fromLists(told)).toMatchObject([{ shutdown_date: "2026-06-04" }]);
  });

  test("with a bound keeps it as text", () => {
    const page = "No sooner than May 4, 2026, these models will be retired:\n\n* `a-1`\n";
    expect(fromLists(page)).toMatchObject([
      {
        shutdown_date: "",
        shutdown_text: "No sooner than May 4, 2026, these models will be retired:",
      },
    ]);
  });

  test("continues after a label, and ends with another sentence", () => {
    const page =
      "These models will be retired:\n\n**Chat**\n\n* `a-1`\n\nWe thank everyone who used them.\n\n* `b-1`\n";
    expect(idsOf(fromLists(page))).toEqual(["a-1"]);
  });

  test.each([
    "Deprecated features and endpoints:\n\n* `/v1/x`\n* `batch-1`\n",
    "We recommend these models:\n\n* `a-1`\n",
    "All models fine-tuned with these will be retired:\n\n* `a-1`\n",
    "These models will be retired:\n\n* Training with `a-1`\n* `/v1/x` parameters: `a-1`\n* Slack App\n",
  ])("is not about ending models: %j", (page) => {
    expect(fromLists(page)).toEqual([]);
  });

  test("gives its models the alternatives of their own family, or else of families without an ending model", () => {
    const page =
      "These models will be retired:\n\n* `embed-v2`\n* `aya-8b`\n\nWe recommend:\n\n* For embeddings:\n  * `embed-v4`\n* For chat:\n  * `command-a`\n";
    expect(fromLists(page)).toMatchObject([
      { model_id: "embed-v2", replacement_models: ["embed-v4"] },
      { model_id: "aya-8b", replacement_models: ["command-a"] },
    ]);
  });
});

describe("a sentence", () => {
  const fromSentences = (page: string): readonly Notice[] => noticesFromSentences(readPage(page));

  test("that says that an id is deprecated or retired is a notice", () => {
    expect(
      fromSentences("[A](/a) (`a-1`) is deprecated. To migrate to B (`b-1`), read on."),
    ).toMatchObject([{ model_id: "a-1", replacement_models: ["b-1"], shutdown_date: "" }]);
    expect(fromSentences("A (`a-1`) and B (`b-1`) were retired on May 4, 2026.")).toMatchObject([
      { model_id: "a-1", shutdown_date: "2026-05-04" },
      { model_id: "b-1", shutdown_date: "2026-05-04" },
    ]);
  });

  test.each([
    "Requests to `a-1` are deprecated.",
    "When `a-1` is retired, calls fail.",
    "The parameter `top-k` is deprecated.",
    "`a-1` is better than what was retired.",
    "This model was retired May 4, 2026.",
  ])("is not a notice: %s", (page) => {
    expect(fromSentences(page)).toEqual([]);
  });
});

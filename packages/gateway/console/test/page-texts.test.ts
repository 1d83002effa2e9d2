import { expect, test } from "vitest";
import { distribution, groupsOf, shadeOf } from "../src/page/jobs/job-figures.ts";
import { filtersOf } from "../src/page/list/filters.ts";
import { sharedMessages } from "../src/page/session/added.ts";
import { bodyOf, curlOf } from "../src/page/session/curl.ts";
import { imageOf } from "../src/page/session/media.ts";
import { ago, clock } from "../src/page/text/format.ts";
import { prettyJson } from "../src/page/text/pretty-json.ts";
import { visible } from "../src/page/text/visible.ts";

test("filters are recognised in what is typed, and the rest is text", () => {
  expect(filtersOf('model:policy error:* reward<=0.5 tool:bash job:"my job" two words')).toEqual({
    model: "policy",
    error: "*",
    reward: "<=0.5",
    tool: "bash",
    job_id: "my job",
    text: "two words",
  });
  expect(filtersOf("status:failed cause:runtime_timeout")).toEqual({
    status: "failed",
    cause: "runtime_timeout",
  });
  expect(filtersOf("reward<0.")).toEqual({ text: "reward<0." });
  expect(filtersOf("code:50 https://x")).toEqual({ text: "code:50 https://x" });
});

test("hidden characters become visible, and words and emoji stay as they are", () => {
  expect(visible("\u001b[31m a\u202eb\u200b\r\n\tnaïve 👩‍🚀 日本")).toBe(
    "␛[31m a⟨U+202E⟩b⟨U+200B⟩\n\tnaïve 👩‍🚀 日本",
  );
  expect(visible("\u{e0041}")).toBe("⟨U+E0041⟩");
});

test("JSON gets line breaks, keeps every digit, and grows little however deep it is", () => {
  expect(prettyJson('{"a":[1.50,{"b":"x,\\"{"}],"c":{}}')).toBe(
    '{\n  "a": [\n    1.50,\n    {\n      "b": "x,\\"{"\n    }\n  ],\n  "c": {}\n}',
  );
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  expect(prettyJson(deep).replaceAll(/\s/g, "")).toBe(deep);
  expect(prettyJson(deep).length).toBeLessThan(2 * deep.length);
});

test("a request is put together as it was sent, even if it has other nulls", () => {
  const messages = '[{"role":"user"}]';
  expect(bodyOf('{"metadata":{"messages":null},"messages": null,"n":1}', messages)).toBe(
    `{"metadata":{"messages":null},"messages": ${messages},"n":1}`,
  );
  expect(bodyOf('{"n":1}', null)).toBe('{"n":1}');
  expect(curlOf("http://h/v1/chat/completions", `{"a":"it's"}`)).toContain(
    String.raw`'{"a":"it'\''s"}'`,
  );
});

test("a copied command holds nothing that a terminal obeys, and sends the same text", () => {
  const text = "\u001b[201~ rm -rf ~\r\u0007 \u202e \u{e0041} naïve 👩‍🚀";
  const body = `{\n\t"a": ${JSON.stringify(text).replaceAll("\\u001b", "\u001b").replaceAll("\\r", "\r")}}`;
  const command = curlOf("http://h/v1/chat/completions", body);
  expect(command).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cf}]/u);
  const sent = /--data-binary '(.*)'$/s.exec(command)?.[1] ?? "";
  expect(JSON.parse(sent)).toEqual({ a: text });
});

test("a date that cannot be read is an unknown time", () => {
  for (const iso of ["soon", "", "275761-01-01T00:00:00Z", "2026-13-01"])
    expect([ago(iso), clock(iso)]).toEqual(["at an unknown time", "at an unknown time"]);
  expect(ago(new Date().toISOString())).not.toContain("unknown");
});

test("only images inside a message are shown", () => {
  const url = "data:image/png;base64,AAAA";
  expect(imageOf(JSON.stringify({ type: "image_url", image_url: { url } }))?.data).toBe(url);
  expect(imageOf(JSON.stringify({ type: "input_image", image_url: url }))?.data).toBe(url);
  const source = { type: "base64", media_type: "image/png", data: "AAAA" };
  expect(imageOf(JSON.stringify({ type: "image", source }))?.data).toBe(url);
  for (const elsewhere of ["https://x/y.png", "data:image/svg+xml;base64,AAAA", "javascript:1"])
    expect(imageOf(JSON.stringify({ type: "image_url", image_url: elsewhere }))).toEqual({
      data: null,
      description: elsewhere,
    });
  expect(imageOf('{"type":"text"}')).toBeNull();
});

test("a message is shared if all its bytes are", () => {
  const messages = '[{"a":"é"},{"b":1}]';
  const bytes = new TextEncoder().encode('[{"a":"é"}').length;
  expect(sharedMessages(messages, bytes)).toBe(1);
  expect(sharedMessages(messages, bytes - 1)).toBe(0);
});

test("rewards are counted, shaded and compared within groups", () => {
  expect(distribution([1, 1, 0.5])).toEqual([
    { from: 0.5, to: 0.5, count: 1 },
    { from: 1, to: 1, count: 2 },
  ]);
  const many = distribution(Array.from({ length: 100 }, (_, index) => index));
  expect(many.map(({ count }) => count)).toEqual(new Array(10).fill(10));
  expect([0, 0.5, 1].map((reward) => shadeOf(reward, { lowest: 0, highest: 1 }))).toEqual([
    0, 2, 4,
  ]);
  const simulation = (group_id: string | null, reward: number | null) => ({
    ...{ session_id: "s", job_id: "j", simulation_id: "i", attempt: 1, env_name: null },
    ...{ group_id, reward, error: null, created_at: "", started_at: null, finished_at: null },
    status: "finished" as const,
  });
  const groups = groupsOf([
    simulation("a", 1),
    simulation("a", 1),
    simulation("b", 1),
    simulation("b", null),
    // A failed one teaches nothing, so it makes no difference: `doctor` counts the group, too.
    ...[1, 1, null].map((reward) => simulation("c", reward)),
  ]);
  expect(groups.map(({ isUniform }) => isUniform)).toEqual([true, false, true]);
});

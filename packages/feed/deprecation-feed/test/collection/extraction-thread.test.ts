import { expect, test } from "vitest";
import { ExtractionThread } from "../../src/collection/extraction-thread.ts";
import { anthropic } from "../../src/providers/anthropic.ts";
import { deprecationPage, testProvider } from "../page-site.ts";

const signal = undefined;
const sentence = "[Old](https://example.com) (`claude-old-1`) is deprecated.";

/** An enumeration without a verb at its end; it used to take exponential time. */
const enumeration = `${"`claude-1`, and ".repeat(2000)}others.`;

test("the package's own providers are read on the thread, in linear time", async () => {
  await using thread = new ExtractionThread();
  const page = `# Models\n\n${enumeration}\n\n${sentence}\n`;
  const { notices } = await thread.extract(anthropic, page, { timeoutMs: 20_000, signal });
  expect(notices.map(({ model_id }) => model_id)).toEqual(["claude-old-1"]);
});

test("a page that takes too long fails, and the next one is read", async () => {
  await using thread = new ExtractionThread();
  const hopeless = "<div>".repeat(2_000_000);
  const first = thread.extract(anthropic, hopeless, { timeoutMs: 50, signal });
  const second = thread.extract(anthropic, sentence, { timeoutMs: 20_000, signal });
  await expect(first).rejects.toThrow("it did not finish within 50 ms");
  expect((await second).notices).toHaveLength(1);
});

test("a custom extractor is stopped too, even in the middle of a regular expression", async () => {
  await using thread = new ExtractionThread();
  const acme = testProvider({ url: "http://127.0.0.1" });
  const nested = new RegExp(`^(${"a+"})+$`);
  const endless = { ...acme, extract: () => (nested.test(`${"a".repeat(60)}!`) ? [] : []) };
  const first = thread.extract(endless, "", { timeoutMs: 50, signal });
  await expect(first).rejects.toThrow("within 50 ms");
  const page = deprecationPage({ model_id: "m-1" });
  const read = await thread.extract(acme, page, { timeoutMs: 20_000, signal });
  expect(read.notices).toHaveLength(1);
});

test("an abort stops a page that is being read", async () => {
  await using thread = new ExtractionThread();
  const stop = new AbortController();
  const options = { timeoutMs: 60_000, signal: stop.signal };
  const reading = thread.extract(anthropic, "<div>".repeat(2_000_000), options);
  stop.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
});

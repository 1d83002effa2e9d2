import { siteFiles } from "@proj/deprecation-feed";
import { Ajv } from "ajv";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { parseFeed } from "feedsmith";
import ICAL from "ical.js";
import Parser from "rss-parser";
import { expect, test } from "vitest";
import { hostileState, provider } from "./hostile-state.ts";
import { jsonFeedSchema } from "./json-feed-schema.ts";

const state = hostileState();
const { notices, changes } = state.catalogue;
const files = siteFiles(state, [provider], "https://feeds.example/");
const read = (path: string): string => files.get(path) ?? "";
const titles = () => [...notices.map(({ model_id }) => `Acme: ${model_id}`)];

const jsonFeeds = ["v1/feed.json", "v1/providers/acme/feed.json"];
const rssFeeds = ["v1/feed.xml", "v1/providers/acme/feed.xml"];

test.each(jsonFeeds)("%s is valid JSON Feed 1.1", (path) => {
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true, strict: false }).compile(
    jsonFeedSchema,
  );
  const feed = JSON.parse(read(path));
  expect(validate(feed) ? [] : validate.errors).toEqual([]);
  expect(feed.feed_url).toBe(`https://feeds.example/${path}`);
});

test("there is one item per model of each provider, with a permanent id, and one per change", () => {
  const { items } = JSON.parse(read("v1/feed.json"));
  const ids = items.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(items.length);
  expect(items).toHaveLength(notices.length + changes.length);
  expect(ids).toContain("urn:model-deprecation:acme:vendor%2Fmodel%3Av1.0%40002");
  expect(ids).toContain("urn:model-deprecation:acme:moved:shutdown_date:2026-10-02");
  expect(ids).toContain("urn:model-deprecation:acme:gone:last_observed:2026-10-02");
});

test("a change has its own data, and is not a second notice of its model", () => {
  const { items } = JSON.parse(read("v1/feed.json"));
  const moved = items.find(({ id }: { id: string }) => id.includes("moved:shutdown_date"));
  expect(moved).toMatchObject({
    title: "Acme: moved, shutdown date 2027-01-01 → 2027-06-01",
    _deprecation_change: { field: "shutdown_date", from: "2027-01-01", to: "2027-06-01" },
  });
  expect(moved).not.toHaveProperty("_deprecation");
});

test("only a model that disappeared from its page says when it was last seen", () => {
  const { items } = JSON.parse(read("v1/feed.json"));
  const seen = items.map(
    (item: { _deprecation?: { last_observed?: string } }) => item._deprecation?.last_observed,
  );
  expect(seen.filter((day: string | undefined) => day !== undefined)).toEqual(["2026-10-01"]);
});

test("regions with different dates are listed in the text", () => {
  const { items } = JSON.parse(read("v1/feed.json"));
  const { content_text } = items.find(({ id }: { id: string }) => id.endsWith(":regional"));
  expect(content_text).toContain("In us-1: deprecated 2026-01-01, shutdown 2027-02-01");
  expect(content_text).toContain("In eu-1: deprecated –, shutdown 2027-03-01");
});

test.each(rssFeeds)("%s is well-formed, and has the elements that RSS 2.0 requires", (path) => {
  expect(XMLValidator.validate(read(path))).toBe(true);
  const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === "item" });
  const { rss } = parser.parse(read(path));
  expect(rss["@_version"]).toBe("2.0");
  const { channel } = rss;
  expect(channel).toMatchObject({
    link: "https://feeds.example/",
    language: "en",
    lastBuildDate: "Fri, 02 Oct 2026 02:00:00 GMT",
    "atom:link": { "@_rel": "self", "@_href": `https://feeds.example/${path}` },
  });
  for (const item of channel.item) {
    expect(item).toMatchObject({
      title: expect.any(String),
      link: expect.stringMatching(/^https:\/\/docs\.acme\.example\/deprecations/),
      description: expect.any(String),
      pubDate: expect.stringMatching(/^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT$/),
      guid: { "@_isPermaLink": "false", "#text": expect.stringMatching(/^urn:model-deprecation:/) },
    });
  }
});

test("rss-parser reads the RSS feed with unchanged titles, texts and ids", async () => {
  const { items, feedUrl } = await new Parser().parseString(read("v1/feed.xml"));
  expect(feedUrl).toBe("https://feeds.example/v1/feed.xml");
  expect(items.map(({ title }) => title)).toEqual(expect.arrayContaining(titles()));
  const bold = items.find(({ title }) => title?.includes("bold"));
  expect(bold?.contentSnippet).toContain("]]> not before <May> & “June”");
  expect(bold?.guid).toBe("urn:model-deprecation:acme:%3Cb%3E%26%22'bold%3C%2Fb%3E");
});

test("feedsmith reads both feeds, with the same items", () => {
  const json = parseFeed(read("v1/feed.json"));
  const rss = parseFeed(read("v1/feed.xml"));
  if (json.format !== "json" || rss.format !== "rss") throw new Error("not told apart");
  expect(json.feed.items?.map(({ title }) => title)).toEqual(expect.arrayContaining(titles()));
  expect(rss.feed.items?.map(({ guid }) => guid?.value)).toEqual(
    json.feed.items?.map(({ id }) => id),
  );
});

test("the calendar has an all-day event for every shutdown date", () => {
  const calendar = new ICAL.Component(ICAL.parse(read("v1/calendar.ics")));
  const events = calendar.getAllSubcomponents("vevent").map((found) => new ICAL.Event(found));
  const dated = notices.filter(({ shutdown_date }) => shutdown_date !== "");
  expect(events.map(({ summary }) => summary).sort()).toEqual(
    dated.map(({ model_id }) => `Acme: ${model_id} shuts down`).sort(),
  );
  const event = events.find(({ summary }) => summary.includes("comma,semi;colon\\back"));
  expect(event?.startDate.toString()).toBe("2026-12-01");
  expect(event?.endDate.toString()).toBe("2026-12-02");
  expect(event?.description).toContain("a".repeat(200));
  expect(event?.component.getFirstPropertyValue("dtstamp")?.toString()).toBe(
    "2026-10-01T02:00:00Z",
  );
});

test("the calendar's lines have the length and ending of RFC 5545", () => {
  const lines = read("v1/calendar.ics").split("\r\n");
  expect(lines.at(-1)).toBe("");
  for (const line of lines) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/[\r\n]/);
  }
});

test("calendars are refreshed daily, and an earliest date is tentative", () => {
  const [notice] = notices;
  if (notice === undefined) throw new Error("there is a notice");
  const active = {
    ...notice,
    model_id: "active-1",
    status: "active" as const,
    shutdown_date: "",
    earliest_shutdown_date: "2027-07-24",
  };
  const text =
    siteFiles(
      { ...state, catalogue: { notices: [active], changes: [] } },
      [provider],
      "https://feeds.example/",
    ).get("v1/calendar.ics") ?? "";
  expect(text).toContain("REFRESH-INTERVAL;VALUE=DURATION:P1D");
  expect(text).toContain("DTSTART;VALUE=DATE:20270724");
  expect(text).toContain("STATUS:TENTATIVE");
  expect(text).toContain("SUMMARY:Acme: active-1 may shut down from this day on");
});

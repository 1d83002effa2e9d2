import { siteFiles } from "@proj/deprecation-feed";
import { parse } from "parse5";
import { expect, test } from "vitest";
import { emptyState } from "../../src/collection/feed-state.ts";
import { hostileState, provider } from "../feeds/hostile-state.ts";

const page =
  siteFiles(hostileState(), [provider], "https://feeds.example/").get("index.html") ?? "";

/** The ids of the list's entries, by section. */
function listed(html: string): Record<string, string[]> {
  const sections = html.split('<section id="').slice(1);
  return Object.fromEntries(
    sections.map((section) => [
      section.slice(0, section.indexOf('"')),
      [...section.matchAll(/<li id="acme:([^"]+)"/g)].map(([, id = ""]) => decodeURIComponent(id)),
    ]),
  );
}

test("the page is well-formed HTML, whatever the providers' pages contain", () => {
  const errors: string[] = [];
  parse(page, { onParseError: ({ code }) => errors.push(code) });
  expect(errors).toEqual([]);
  expect(page).not.toContain("<b>");
  expect(page).not.toContain("<May>");
});

test("without scripts the page lists every model, the upcoming ones in order first", () => {
  expect(listed(page)).toMatchObject({
    upcoming: ["gone", "comma,semi;colon\\back", "plain-1", "regional", "moved"],
    past: [],
  });
  expect(listed(page).undated).toHaveLength(2);
});

test("the page shows replacements and last sightings, and quotes its source", () => {
  expect(page).toContain("<dt>Replacement</dt><dd><code>plain-2</code></dd>");
  expect(page).toContain("<dt>No longer listed</dt><dd>last seen 2026-10-01</dd>");
  expect(page).toMatch(/<blockquote cite="https:\/\/docs\.acme\.example\/deprecations">plain-1/);
});

test("if nothing is known, the page says so", () => {
  const empty = siteFiles(emptyState, [provider], "https://feeds.example/").get("index.html");
  expect(empty).toContain('<p id="none">No page could be read yet.</p>');
});

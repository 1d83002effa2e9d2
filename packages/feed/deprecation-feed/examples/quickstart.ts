import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildFeed, checkModels, type Provider, readFeed } from "@proj/deprecation-feed";

const page = createServer((_request, response) =>
  response.end("`small-1` shuts down on 2027-01-31, use `small-2` instead.\n"),
).listen(0, "127.0.0.1");
await once(page, "listening");

// A provider is data and a pure function; the package comes with twenty of them, `providers`.
const acme: Provider = {
  label: "Acme",
  slug: "acme",
  page_url: "https://docs.acme.example/deprecations",
  source_url: `http://127.0.0.1:${(page.address() as AddressInfo).port}/deprecations.md`,
  allowed_hosts: [],
  extract: (text) =>
    [...text.matchAll(/`(.+)` shuts down on (.+), use `(.+)`/g)].map((match) => ({
      model_id: match[1] ?? "",
      aliases: [],
      announcement_date: "",
      deprecation_date: "",
      shutdown_date: match[2] ?? "",
      earliest_shutdown_date: "",
      state: "deprecated",
      shutdown_text: "",
      replacement_models: [match[3] ?? ""],
      regions: [],
      anchor: "",
      source_text: match[0],
    })),
};

const output = await mkdtemp(join(tmpdir(), "feed-"));
await buildFeed({ providers: [acme], output, base_url: "https://feeds.example/" });

const feed = await readFeed(output); // or the URL of a feed, made by this project or another one
const [small, other] = checkModels(["small-1", "large-1"], feed, { today: "2027-01-20" });
assert.equal(small?.verdict, "ending");
assert.equal(small.notices[0]?.days_left, 11);
assert.deepEqual(small.notices[0]?.replacement_models, ["small-2"]);
assert.equal(other?.verdict, "unknown");

page.close();
await rm(output, { recursive: true });

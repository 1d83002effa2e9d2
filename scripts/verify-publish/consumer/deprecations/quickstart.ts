// Writes the folder `feed`, with one model that shuts down in ten days.
import { once } from "node:events";
import { createServer } from "node:http";
import { buildFeed, type Provider } from "@proj/deprecation-feed";

const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
const page = createServer((_request, response) => response.end(soon)).listen(0, "127.0.0.1");
await once(page, "listening");
const address = page.address();
const port = typeof address === "object" ? address?.port : null;

const acme: Provider = {
  label: "Acme",
  slug: "acme",
  page_url: "https://docs.acme.example/deprecations",
  source_url: `http://127.0.0.1:${port}/`,
  allowed_hosts: [],
  extract: (shutdown_date) => [
    {
      model_id: "small-1",
      aliases: [],
      announcement_date: "",
      deprecation_date: "",
      shutdown_date,
      shutdown_text: "",
      earliest_shutdown_date: "",
      state: "",
      replacement_models: ["small-2"],
      regions: [],
      anchor: "",
      source_text: shutdown_date,
    },
  ],
};
await buildFeed({ providers: [acme], output: "feed", base_url: "https://feeds.example/" });
page.close();

/** One export in a separate process, so that its memory can be measured: `export-main.ts DB-URL FORMAT`. */
import { exportFormats, exportRollouts, exportTrajectories } from "@proj/launcher-client";
import { openJobReader } from "@proj/session-store";

const [db_url = "", name = ""] = process.argv.slice(2);
const store = await openJobReader({ storage_type: "sqlite", storage_config: { db_url } });
const format = exportFormats.find((each) => each.name === name);
const started = performance.now();
const lines =
  format === undefined ? exportTrajectories(store, {}) : exportRollouts(store, { format });
let bytes = 0;
for await (const line of lines) bytes += line.length;
const seconds = (performance.now() - started) / 1_000;
process.send?.({ seconds, bytes, max_rss_mb: process.resourceUsage().maxRSS / 1_024 });
await store.close();

import { loadSettings } from "@proj/points-server";
import { type Command, defineCommand, exitCode, required } from "@proj/program";
import { maskUrl } from "@proj/program/configuration";
import { stringify } from "yaml";

/** Prints what would run, with every default filled in and every secret masked. */
export const check: Command = defineCommand({
  name: "check",
  summary: "validate settings and print what would run, without secrets",
  options: {
    config: required("FILE", "YAML settings", { short: "c", completion: "files" }),
  },
  async run({ options: { config } }) {
    const settings = loadSettings(config);
    const ingest_secret = settings.ingest_secret === null ? null : "***";
    const db_url = maskUrl(settings.db_url);
    const price_sources = settings.price_sources.map(({ base_url, api_key, ...source }) => ({
      ...source,
      ...{ base_url: maskUrl(base_url), api_key: api_key ? "***" : null },
    }));
    process.stdout.write(stringify({ ...settings, db_url, ingest_secret, price_sources }));
    console.error(`${config} is valid.`);
    return exitCode.done;
  },
});

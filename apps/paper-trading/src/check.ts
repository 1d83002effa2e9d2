import { type Command, defineCommand, exitCode, required } from "@proj/program";
import { stringify } from "yaml";
import { loadConfig } from "./load-config.ts";

/** Prints the configuration that would run, with every token masked. */
export const check: Command = defineCommand({
  name: "check",
  summary: "validate a configuration and print what would run, without tokens",
  options: {
    config: required("FILE", "YAML configuration", { short: "c", completion: "files" }),
  },
  async run({ options: { config: path } }) {
    const config = loadConfig(path);
    process.stdout.write(stringify({ ...config, tokens: config.tokens.map(() => "***") }));
    console.error(`${path} is valid.`);
    return exitCode.done;
  },
});

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
    const hidden = (tokens: readonly string[]): readonly string[] => tokens.map(() => "***");
    const { account_tokens: ofAccounts = {} } = config;
    const own = Object.entries(ofAccounts).map(([id, tokens]) => [id, hidden(tokens)] as const);
    const account_tokens = own.length === 0 ? {} : { account_tokens: Object.fromEntries(own) };
    process.stdout.write(
      stringify({ ...config, tokens: hidden(config.tokens), ...account_tokens }),
    );
    console.error(`${path} is valid.`);
    return exitCode.done;
  },
});

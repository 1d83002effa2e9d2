import { type Command, defineCommand, flag, jsonOption, optional, required } from "@proj/program";

/**
 * Prints what would run, with every default filled in and every secret masked, and what a feed knows about
 * its models.
 */
export const check: Command = defineCommand({
  name: "check",
  summary: "validate a configuration and print what would run, without secrets",
  no: "a model ends within deprecations.warn_days, or with --live an upstream gave no token, or an engine none to train on",
  options: {
    config: required("FILE", "YAML configuration", { short: "c", completion: "files" }),
    deprecations: optional(
      "FEED",
      "say which models of the configuration are shut down or will be; a URL, a file, or a folder written by 'deprecations build'",
      { short: "d", completion: "files" },
    ),
    live: flag(
      "ask every upstream for its models and one token, and every engine whether its tokens can be trained on",
    ),
    json: jsonOption("everything as one JSON object on standard output"),
  },
  run: async ({ options }, { signal }) =>
    (await import("./check-configuration.ts")).checkConfiguration(options, signal),
});

import { ConfigReader, type Environment } from "@proj/configuration";
import type { PaperBrokerConfig } from "../server/paper-broker.ts";
import { configSchema } from "./config-schema.ts";

const reader = new ConfigReader<PaperBrokerConfig>({
  schema: configSchema,
  secrets: ["tokens"],
  whenEmpty: "is empty; tokens and accounts, at least, are required",
});

/**
 * Reads and checks a configuration file.
 * @throws ConfigError everything that is wrong with its form
 */
export const loadBrokerConfig = (path: string, env: Environment = process.env): PaperBrokerConfig =>
  reader.load(path, env);

/** Likewise, from the file's text; `source` names it in errors. @throws ConfigError */
export const parseBrokerConfig = (
  text: string,
  source: string,
  env: Environment = process.env,
): PaperBrokerConfig => reader.parse(text, source, env);

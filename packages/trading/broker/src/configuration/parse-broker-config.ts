import { ConfigReader, type Environment } from "@proj/program/configuration";
import type { PaperBrokerConfig } from "../server/paper-broker.ts";
import { configSchema } from "./config-schema.ts";

const reader = new ConfigReader<PaperBrokerConfig>({
  schema: configSchema,
  secrets: ["tokens", "account_tokens"],
  whenEmpty: "is empty; at least tokens and accounts are required",
});

/**
 * Reads and validates a configuration file.
 * @throws ConfigError with everything that does not match the schema
 */
export const loadBrokerConfig = (path: string, env: Environment = process.env): PaperBrokerConfig =>
  reader.load(path, env);

/** loadBrokerConfig for the file's text; `source` names the file in errors. @throws ConfigError */
export const parseBrokerConfig = (
  text: string,
  source: string,
  env: Environment = process.env,
): PaperBrokerConfig => reader.parse(text, source, env);

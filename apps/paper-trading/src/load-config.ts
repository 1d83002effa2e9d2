import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { BrokerConfigError, type PaperBrokerConfig, parseBrokerConfig } from "@proj/paper-broker";
import { parse } from "yaml";

const defaultPort = 8780;

/** Without a file: one account, and a market that is always open. */
export function demoConfig(): PaperBrokerConfig {
  return {
    tokens: [randomBytes(20).toString("hex")],
    accounts: [{ account_id: "1537581", balance: 50_000 }],
    hours: null,
    history_hours: 6,
    listen_port: defaultPort,
  };
}

/** @throws BrokerConfigError the file cannot be read, is no YAML, or makes no sense */
export function loadConfig(path: string): PaperBrokerConfig {
  try {
    const config = parseBrokerConfig(parse(readFileSync(path, "utf8")));
    return { listen_port: defaultPort, ...config };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new BrokerConfigError(`${path} cannot be used:\n${message}`, { cause: error });
  }
}

import { randomBytes } from "node:crypto";
import { loadBrokerConfig, type PaperBrokerConfig } from "@proj/paper-broker";

const defaultPort = 8780;

/** The configuration without a file: one account, a market that is always open. */
export function demoConfig(): PaperBrokerConfig {
  return {
    tokens: [randomBytes(20).toString("hex")],
    accounts: [{ account_id: "1537581", balance: 50_000 }],
    hours: null,
    history_hours: 6,
    listen_port: defaultPort,
  };
}

/** @throws ConfigError with everything that is wrong with the file */
export const loadConfig = (path: string): PaperBrokerConfig => ({
  listen_port: defaultPort,
  ...loadBrokerConfig(path),
});

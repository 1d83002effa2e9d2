import { maskUrlsInText } from "@proj/gateway-protocol";
import { shorten } from "../answer/shorten.ts";

/** How a command is run. */
export interface CommandOptions {
  /** @default the launcher's working directory; of an agent, a folder of its own */
  readonly cwd?: string;
  /** Added to the environment. A variable that is undefined is left out of it. */
  readonly env?: Environment;
  /** Milliseconds that it has to end after SIGTERM, before it is killed. @default 5000 */
  readonly graceMs?: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold secrets of the launcher. No command gets them: they open every session, or the storage. */
export const secretVariables: readonly string[] = [
  "GATEWAY_API_KEY",
  "GATEWAY_SESSION_SECRET",
  "GATEWAY_DB_URL",
  "PGPASSWORD",
];

export const describeCommand = (command: string): string =>
  `command "${shorten(maskUrlsInText(command))}"`;

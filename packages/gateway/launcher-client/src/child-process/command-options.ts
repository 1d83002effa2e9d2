import { maskUrlsInText } from "@proj/gateway-protocol";
import { shorten } from "../answer/shorten.ts";

/** How to run a command. */
export interface CommandOptions {
  /** @default the launcher's working directory; for an agent, a folder of its own */
  readonly cwd?: string;
  /** Added to the environment. A variable set to undefined is removed from it. */
  readonly env?: Environment;
  /** How long it may take to end after SIGTERM before it is killed, in milliseconds. @default 5000 */
  readonly graceMs?: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export const describeCommand = (command: string): string =>
  `command "${shorten(maskUrlsInText(command))}"`;

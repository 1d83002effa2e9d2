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

export const describeCommand = (command: string): string =>
  `command "${shorten(maskUrlsInText(command))}"`;

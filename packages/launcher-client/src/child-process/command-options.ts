import { maskUrlsInText } from "@proj/gateway-protocol";
import { shorten } from "../answer/shorten.ts";

/** How a command is run. */
export interface CommandOptions {
  /** @default the launcher's working directory */
  readonly cwd?: string;
  /**
   * Added to the launcher's own environment, of which GATEWAY_API_KEY and GATEWAY_SESSION_SECRET are
   * left out: they open every session. A variable that is undefined is left out too.
   */
  readonly env?: Environment;
  /** Milliseconds that it has to end after SIGTERM, before it is killed. @default 5000 */
  readonly graceMs?: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export const describeCommand = (command: string): string =>
  `command "${shorten(maskUrlsInText(command))}"`;

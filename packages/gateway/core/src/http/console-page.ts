import type { IncomingMessage, ServerResponse } from "node:http";

// Types of the package name no Express, so this one is in a file without it.

/** A page for people, with its files. It contains no secrets: it fetches what it shows with the caller's key. */
export interface ConsolePage {
  /** Without a slash at its end: `/console`. Its files are below. */
  readonly path: string;
  /** Answers if the path is one of its files. @returns whether it is */
  serve(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

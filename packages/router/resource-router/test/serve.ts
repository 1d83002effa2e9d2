import { createServer, type RequestListener } from "node:http";
import { type Listening, listen } from "@proj/test-kit";
import { onTestFinished } from "vitest";
import { createRouter, type Operations, type RouterOptions, resource } from "../src/index.ts";

/** A server for one test. */
export async function serve(listener: RequestListener): Promise<Listening> {
  const listening = await listen(createServer(listener));
  onTestFinished(() => listening.close());
  return listening;
}

/** A server for one test, with the resource `snips` and nothing else. */
export async function serveSnips(
  operations: Operations,
  options: RouterOptions = {},
): Promise<Listening> {
  return serve(createRouter([resource("snips", operations)], options).middleware);
}

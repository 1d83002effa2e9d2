import { createServer, type RequestListener } from "node:http";
import { type Listening, listen } from "@proj/test-kit";
import { onTestFinished } from "vitest";
import { createRouter, type Operations, type RouterOptions, resource } from "../src/index.ts";
import { ask } from "./ask.ts";

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

/** The answer to a GET of an item for which `find` returns this. */
export async function answerTo(result: unknown): Promise<readonly unknown[]> {
  const { port } = await serveSnips({ find: () => result }, { onError: () => {} });
  const { status, headers, text } = await ask(port, "/snips/1");
  return [status, headers["content-type"], text];
}

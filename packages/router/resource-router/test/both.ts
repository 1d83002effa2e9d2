import { createFetchRouter } from "../src/fetch.ts";
import { createRouter, type Operations, type RoutingOptions, resource } from "../src/index.ts";
import { type Asked, ask } from "./ask.ts";
import { serve } from "./serve.ts";

export interface BothAnswered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** What `onError` got. */
  readonly errors: readonly unknown[];
}

/** Asks a resource `snips` on Node's server and through fetch. */
export async function askBoth(
  operations: Operations,
  options: RoutingOptions,
  path: string,
  asked: Asked = {},
): Promise<readonly [node: BothAnswered, fetch: BothAnswered]> {
  const members = [resource("snips", operations)];
  const nodeErrors: unknown[] = [];
  const onNode = { ...options, onError: (error: unknown) => nodeErrors.push(error) };
  const { port } = await serve(createRouter(members, onNode).middleware);
  const node = await ask(port, path, asked);
  const fetchErrors: unknown[] = [];
  const onFetch = { ...options, onError: (error: unknown) => fetchErrors.push(error) };
  const { body, ...init } = asked;
  const response = await createFetchRouter(members, onFetch).fetch(
    new Request(`http://any.example${path}`, { ...init, ...(body && { body: String(body) }) }),
  );
  const fetched = { status: response.status, headers: Object.fromEntries(response.headers) };
  return [
    { ...node, errors: nodeErrors },
    { ...fetched, text: await response.text(), errors: fetchErrors },
  ];
}

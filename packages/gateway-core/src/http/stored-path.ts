import type { StoredTarget } from "../call/call.ts";
import { responses } from "../endpoints/responses/responses.ts";
import type { ModelPath } from "./model-path.ts";
import { createSessionPathSplitter, pathnameOf } from "./session-path.ts";

/** A path of an object that an upstream keeps. */
export interface StoredPath extends ModelPath {
  readonly target: Omit<StoredTarget, "replica">;
  /** The object's id; null: one is to be made. */
  readonly id: string | null;
  readonly kind: "response" | "conversation";
  /** Whether the object itself is asked for, and not what belongs to it. */
  readonly isWhole: boolean;
}

type Method = StoredTarget["method"];

const id = "(?<id>[A-Za-z0-9_-]{1,256})";
const item = "[A-Za-z0-9_-]{1,256}";

/** The paths by kind, what follows the id, and the methods that each has. */
const paths: readonly (readonly [StoredPath["kind"], RegExp, readonly Method[]])[] = [
  ["response", new RegExp(`^/responses/(?!(?:compact|input_tokens)$)${id}$`), ["GET", "DELETE"]],
  ["response", new RegExp(`^/responses/${id}/cancel$`), ["POST"]],
  ["response", new RegExp(`^/responses/${id}/input_items$`), ["GET"]],
  ["conversation", /^\/conversations$/, ["POST"]],
  ["conversation", new RegExp(`^/conversations/${id}$`), ["GET", "POST", "DELETE"]],
  ["conversation", new RegExp(`^/conversations/${id}/items$`), ["GET", "POST"]],
  ["conversation", new RegExp(`^/conversations/${id}/items/${item}$`), ["GET", "DELETE"]],
];

/** Recognises what is asked of stored objects, with and without a session; null: it is something else. */
export function createStoredPathMatcher(
  base_session_path: string,
): (method: string, url: string) => StoredPath | null {
  const split = createSessionPathSplitter(base_session_path);
  return (method, url) => {
    const pathname = pathnameOf(url);
    const session = split(pathname);
    const below = (session?.endpoint ?? pathname).replace(/^\/v1(?=\/)/, "");
    if (session === null && !pathname.startsWith("/v1/")) return null;
    if (!/^\/(?:responses|conversations)(?:\/|$)/.test(below)) return null;
    for (const [kind, form, methods] of paths) {
      const found = form.exec(below);
      const known = methods.find((each) => each === method);
      if (found === null || known === undefined) continue;
      const path = below + url.slice(pathname.length);
      return {
        endpoint: responses,
        session_segment: session?.segment ?? null,
        target: { method: known, path },
        id: found.groups?.id ?? null,
        kind,
        isWhole: /^\/\w+\/[^/]+$/.test(below),
      };
    }
    return null;
  };
}

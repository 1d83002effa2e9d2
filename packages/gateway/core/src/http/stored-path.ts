import { endpointsByName } from "@proj/model-apis";
import type { StoredTarget } from "../call/call.ts";
import { createSessionPathSplitter, type ModelPath, pathnameOf } from "./paths.ts";

/** The path of an object that an upstream stores. */
export interface StoredPath extends ModelPath {
  readonly target: Omit<StoredTarget, "replica">;
  /** The object's id; null if one is to be created. */
  readonly id: string | null;
  readonly kind: "response" | "conversation";
  /** Whether the request is about the object itself, not something that belongs to it. */
  readonly isWhole: boolean;
}

type Method = StoredTarget["method"];

const id = "(?<id>[A-Za-z0-9_-]{1,256})";
const item = "[A-Za-z0-9_-]{1,256}";

/** The paths by kind, the part after the id, and their methods. */
const paths: readonly (readonly [StoredPath["kind"], RegExp, readonly Method[]])[] = [
  ["response", new RegExp(`^/responses/(?!(?:compact|input_tokens)$)${id}$`), ["GET", "DELETE"]],
  ["response", new RegExp(`^/responses/${id}/cancel$`), ["POST"]],
  ["response", new RegExp(`^/responses/${id}/input_items$`), ["GET"]],
  ["conversation", /^\/conversations$/, ["POST"]],
  ["conversation", new RegExp(`^/conversations/${id}$`), ["GET", "POST", "DELETE"]],
  ["conversation", new RegExp(`^/conversations/${id}/items$`), ["GET", "POST"]],
  ["conversation", new RegExp(`^/conversations/${id}/items/${item}$`), ["GET", "DELETE"]],
];

/** Recognises requests about stored objects, with and without a session; null for anything else. */
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
        endpoint: endpointsByName.responses,
        told: null,
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

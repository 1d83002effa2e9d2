import { fixedPaths } from "@proj/gateway-protocol";
import type { Endpoint } from "../pipeline/call.ts";
import { createSessionPathSplitter } from "./session-path.ts";

/** A model endpoint; `session_segment` is the path's segment as it came, null where unbound. */
export interface ModelPath {
  readonly endpoint: Endpoint;
  readonly session_segment: string | null;
}

/** The model endpoints of a session, by what follows its id. */
export const sessionModelPaths: ReadonlyMap<string, Endpoint> = new Map([
  ["/chat/completions", "chat_completions"],
  ["/responses", "responses"],
]);

/** Recognises the paths of model traffic, which do not go through Express. */
export function createModelPathMatcher(
  base_session_path: string,
): (pathname: string) => ModelPath | null {
  const split = createSessionPathSplitter(base_session_path);
  const unbound: ReadonlyMap<string, ModelPath> = new Map([
    [fixedPaths.chat_completions, { endpoint: "chat_completions", session_segment: null }],
    [fixedPaths.responses, { endpoint: "responses", session_segment: null }],
  ]);
  return (pathname) => {
    const found = unbound.get(pathname);
    if (found !== undefined) return found;
    const path = split(pathname);
    const endpoint = path === null ? undefined : sessionModelPaths.get(path.endpoint);
    if (path === null || endpoint === undefined) return null;
    return { endpoint, session_segment: path.segment };
  };
}

import { isSessionId } from "./session-id.ts";

export const defaultBaseSessionPath: string = "/v1/sessions";

/** The endpoints that stand where they are, whatever `base_session_path` says. */
export interface FixedPaths {
  readonly healthz: string;
  readonly readyz: string;
  readonly metrics: string;
  readonly models: string;
  readonly chat_completions: string;
  readonly responses: string;
}

export const fixedPaths: FixedPaths = {
  healthz: "/healthz",
  readyz: "/readyz",
  metrics: "/metrics",
  models: "/v1/models",
  chat_completions: "/v1/chat/completions",
  responses: "/v1/responses",
};

export interface StepsQuery {
  readonly model?: string | undefined;
  /** Only steps with a larger `id`. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}

export interface SessionsQuery {
  /** `next_after` of the page before. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** Paths, with their queries, relative to the gateway's base URL; those of a session by its id. */
export interface GatewayPaths extends FixedPaths {
  sessions(query?: SessionsQuery): string;
  /** Status of a session; also the base URL's path of an ordinary SDK that is to join it. */
  session(session_id: string): string;
  sessionModels(session_id: string): string;
  sessionChatCompletions(session_id: string): string;
  sessionResponses(session_id: string): string;
  /** With `wait`, an answer comes when the session is closed or that many seconds (at most 30) are up. */
  close(session_id: string, query?: { readonly wait?: number | undefined }): string;
  latestSuccessStep(session_id: string, model: string): string;
  clean(session_id: string): string;
  steps(session_id: string, query?: StepsQuery): string;
}

/**
 * The paths that clients of a gateway call. Each that takes a session id throws a TypeError where it
 * is none.
 */
export function gatewayPaths(base_session_path: string = defaultBaseSessionPath): GatewayPaths {
  const session = (session_id: string): string => {
    if (!isSessionId(session_id)) {
      throw new TypeError(`${JSON.stringify(session_id)} is not a session id`);
    }
    // Every character of a session id may stand in a path as it is (RFC 3986, pchar).
    return `${base_session_path}/${session_id}`;
  };
  return {
    ...fixedPaths,
    sessions: (query = {}) => base_session_path + queryString({ ...query }),
    session,
    sessionModels: (id) => `${session(id)}/models`,
    sessionChatCompletions: (id) => `${session(id)}/chat/completions`,
    sessionResponses: (id) => `${session(id)}/responses`,
    close: (id, query = {}) => `${session(id)}/close${queryString({ ...query })}`,
    latestSuccessStep: (id, model) => `${session(id)}/latest-success-step${queryString({ model })}`,
    clean: (id) => `${session(id)}/clean`,
    steps: (id, query = {}) => `${session(id)}/steps${queryString({ ...query })}`,
  };
}

function queryString(query: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/**
 * The URL that `gatewayPaths` are appended to, from what a user gave: the gateway's origin with an
 * optional path prefix. A trailing slash or the session path at its end is taken off.
 * @throws TypeError it is no http(s) URL, or has a query or a fragment
 */
export function gatewayBaseUrl(
  url: string,
  base_session_path: string = defaultBaseSessionPath,
): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.search || parsed.hash) {
    throw new TypeError("the gateway's base URL must be http(s)://host[:port][/prefix]");
  }
  const base = parsed.href.replace(/\/+$/, "");
  return base.endsWith(base_session_path) ? base.slice(0, -base_session_path.length) : base;
}

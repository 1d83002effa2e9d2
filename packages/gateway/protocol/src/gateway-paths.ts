import { type EndpointName, endpointNames, endpointPaths } from "@proj/model-apis/names";
import { isSessionId } from "./session-id.ts";

export const defaultBaseSessionPath: string = "/v1/sessions";

/** The endpoints with fixed paths, whatever `base_session_path` says. */
export interface FixedPaths extends Readonly<Record<EndpointName, string>> {
  readonly healthz: string;
  readonly readyz: string;
  readonly metrics: string;
  readonly models: string;
  readonly jobs: string;
  readonly routes: string;
  readonly reload: string;
  readonly overview: string;
}

export const fixedPaths: FixedPaths = {
  healthz: "/healthz",
  readyz: "/readyz",
  metrics: "/metrics",
  models: "/v1/models",
  jobs: "/v1/jobs",
  routes: "/v1/routes",
  reload: "/v1/routes/reload",
  overview: "/v1/overview",
  ...modelPaths(),
};

function modelPaths(): Readonly<Record<EndpointName, string>> {
  const paths = { ...endpointPaths };
  for (const name of endpointNames) paths[name] = `/v1${endpointPaths[name]}`;
  return paths;
}

export interface StepsQuery {
  readonly model?: string | undefined;
  /** Return only steps with a larger `id`. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}

export interface JobFeedQuery {
  /** The `position` of the last known group: `next_after` of the previous page. */
  readonly after?: number | undefined;
  /** Maximum number of groups. */
  readonly limit?: number | undefined;
  /** Seconds, at most 30, to wait for a group if none has ended yet. */
  readonly wait?: number | undefined;
}

export interface SessionsQuery {
  /** `next_after` of the previous page. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** Paths with their queries, relative to the gateway's base URL; a session's paths by its id. */
export interface GatewayPaths extends FixedPaths {
  sessions(query?: SessionsQuery): string;
  /** Status of a session; also the path of the base URL with which an ordinary SDK joins it. */
  session(session_id: string): string;
  sessionModels(session_id: string): string;
  sessionChatCompletions(session_id: string): string;
  sessionResponses(session_id: string): string;
  /** With `wait`, the answer comes when the session is closed or after that many seconds (at most 30). */
  close(session_id: string, query?: { readonly wait?: number | undefined }): string;
  latestSuccessStep(session_id: string, model: string): string;
  clean(session_id: string): string;
  fork(session_id: string): string;
  steps(session_id: string, query?: StepsQuery): string;
  pauseRoute(model: string): string;
  resumeRoute(model: string): string;
  probeEngine(model: string): string;
  engineLogprobs(model: string): string;
  jobFeed(job_id: string, query?: JobFeedQuery): string;
}

/**
 * The paths that a gateway's clients call. Those that take a session id throw a TypeError if it is not valid.
 */
export function gatewayPaths(base_session_path: string = defaultBaseSessionPath): GatewayPaths {
  const session = (session_id: string): string => {
    if (!isSessionId(session_id)) {
      throw new TypeError(`${JSON.stringify(session_id)} is not a session id`);
    }
    // Every character of a session id is allowed in a path (RFC 3986, pchar).
    return `${base_session_path}/${session_id}`;
  };
  return {
    ...fixedPaths,
    sessions: (query = {}) => base_session_path + queryString({ ...query }),
    session,
    sessionModels: (id) => `${session(id)}/models`,
    sessionChatCompletions: (id) => session(id) + endpointPaths.chat_completions,
    sessionResponses: (id) => session(id) + endpointPaths.responses,
    close: (id, query = {}) => `${session(id)}/close${queryString({ ...query })}`,
    latestSuccessStep: (id, model) => `${session(id)}/latest-success-step${queryString({ model })}`,
    fork: (id) => `${session(id)}/fork`,
    clean: (id) => `${session(id)}/clean`,
    pauseRoute: (model) => `${fixedPaths.routes}/${encodeURIComponent(model)}/pause`,
    resumeRoute: (model) => `${fixedPaths.routes}/${encodeURIComponent(model)}/resume`,
    probeEngine: (model) => `${fixedPaths.routes}/${encodeURIComponent(model)}/engine`,
    engineLogprobs: (model) => `${fixedPaths.routes}/${encodeURIComponent(model)}/logprobs`,
    jobFeed: (job_id, query = {}) =>
      `${fixedPaths.jobs}/${encodeURIComponent(job_id)}/feed${queryString({ ...query })}`,
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
 * The URL that `gatewayPaths` are appended to, from what a user entered: the gateway's origin with an
 * optional path prefix. A trailing slash, or the session path at its end, is removed.
 * @throws TypeError the URL is not http(s), or has a query or a fragment
 */
export function gatewayBaseUrl(
  url: string,
  base_session_path: string = defaultBaseSessionPath,
): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.search || parsed.hash) {
    throw new TypeError("the gateway's base URL must be http(s)://host[:port][/prefix]");
  }
  const base = parsed.href.replace(/(?<!\/)\/+$/, "");
  return base.endsWith(base_session_path) ? base.slice(0, -base_session_path.length) : base;
}

import type { JobReader, StoreBrowser } from "@proj/session-store";
import {
  jobs,
  numberOf,
  rows,
  scores,
  sessionTools,
  simulations,
  storedSessions,
  summary,
  tools,
  usage,
} from "@proj/session-store/answers";

/** A storage that is viewed without its gateway. */
export interface ViewedStore extends Pick<JobReader, "readSteps"> {
  readonly browser: StoreBrowser;
}

const sessionsPath = "/v1/sessions";

/** What a gateway would answer about a storage that nobody writes to; null for an unknown path. */
export async function browsed(
  store: ViewedStore,
  path: string,
  query: URLSearchParams,
): Promise<object | null> {
  const { browser } = store;
  if (path === "/readyz") return { base_session_path: sessionsPath };
  if (path === "/v1/jobs") return jobs(browser);
  if (path === sessionsPath) return storedSessions(browser, query, () => null);
  const [, job, below] =
    /^\/v1\/jobs\/([^/]+)(?:\/(simulations|usage|scores|tools))?$/.exec(path) ?? [];
  if (job !== undefined) {
    if (below === undefined) return browser.readJob(decoded(job));
    const pages = { simulations, usage, scores, tools };
    return pages[below as keyof typeof pages](browser, decoded(job), query);
  }
  const [, session, part] =
    /^\/v1\/sessions\/([^/]+)\/(rows|summary|steps|tools)$/.exec(path) ?? [];
  if (session === undefined) return null;
  const session_id = decoded(session);
  if (part === "rows") return rows(browser, session_id, query);
  if (part === "summary") return summary(browser, session_id, () => null);
  if (part === "tools") return sessionTools(browser, session_id);
  return store.readSteps({
    session_id,
    after: numberOf(query, "after"),
    limit: numberOf(query, "limit"),
  });
}

/** A segment of a path; as it is if it cannot be decoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { fixedPaths, type JobFeedBody, type RolloutBody } from "@proj/gateway-protocol";
import type {
  BrowsableStore,
  EnvironmentRow,
  JobFeedPage,
  JobFeedQuery,
  SessionStore,
} from "@proj/session-store";
import { jobs, scores, simulations, tools, usage } from "@proj/session-store/answers";
import { type Response, Router } from "express";
import { GatewayError } from "../errors/gateway-error.ts";
import { readStorage } from "../session/read-storage.ts";
import type { AccessControl } from "./access-control.ts";
import { browsing, queryOf } from "./browse-endpoints.ts";
import { sendJson } from "./control-answer.ts";
import { onlyMethods } from "./only-methods.ts";
import { naturalNumber, pageLimit, seconds } from "./query-parameters.ts";
import type { Readiness } from "./readiness.ts";

export interface JobEndpointDependencies {
  readonly access: AccessControl;
  readonly store: BrowsableStore;
  readonly readiness: Readiness;
}

/** The longest useful wait of one request, in seconds. */
const maxWaitS = 30;
/** Interval between two reads of storage, to which launchers write directly, in milliseconds. */
const lookEveryMs = 250;

/** Endpoints about jobs, which launchers write. */
export function jobEndpoints({ access, store, readiness }: JobEndpointDependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(fixedPaths.jobs)
    .get(async (req, res) => {
      access.authenticate(req, null);
      sendJson(res, await readStorage(jobs(store.browser)));
    })
    .all(onlyMethods("GET", "HEAD"));
  router
    .route(`${fixedPaths.jobs}/:job_id`)
    .get(async (req, res) => {
      access.authenticate(req, null);
      const { job_id } = req.params;
      const job = await readStorage(store.browser.readJob(job_id));
      if (job === null) throw noSuchJob(job_id);
      sendJson(res, job);
    })
    .all(onlyMethods("GET", "HEAD"));
  for (const [name, read] of Object.entries({ scores, simulations, tools, usage }))
    router
      .route(`${fixedPaths.jobs}/:job_id/${name}`)
      .get(async (req, res) => {
        access.authenticate(req, null);
        const { job_id } = req.params;
        sendJson(res, await browsing<object>(read(store.browser, String(job_id), queryOf(req))));
      })
      .all(onlyMethods("GET", "HEAD"));
  router
    .route(`${fixedPaths.jobs}/:job_id/feed`)
    .get(async (req, res) => {
      access.authenticate(req, null);
      const { job_id } = req.params;
      const query = { job_id, after: naturalNumber(req, "after"), limit: pageLimit(req) };
      const waitMs = 1_000 * Math.min(seconds(req, "wait"), maxWaitS);
      const page = await nextPage(store, query, waitMs, untilGone(res, readiness.ending));
      sendJson(res, feedBody(page, query));
    })
    .all(onlyMethods("GET", "HEAD"));
  return router;
}

/** A page with groups; an empty one once the job is over, the time is up, or no wait was asked for. */
async function nextPage(
  store: SessionStore,
  query: JobFeedQuery,
  waitMs: number,
  signal: AbortSignal,
): Promise<JobFeedPage> {
  const until = performance.now() + waitMs;
  for (;;) {
    const page = await readStorage(store.readFeed(query));
    if (page === null) throw noSuchJob(query.job_id);
    const leftMs = until - performance.now();
    if (page.groups.length > 0 || page.is_finished || leftMs <= 0 || signal.aborted) return page;
    await delay(Math.min(leftMs, lookEveryMs), undefined, { signal }).catch(() => {});
    // Not read again: a gateway that is shutting down keeps its connections open only for a moment.
    if (signal.aborted) return page;
  }
}

/** Aborts when the caller leaves, or the gateway shuts down. */
function untilGone(res: Response, ending: AbortSignal): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => gone.abort());
  return AbortSignal.any([gone.signal, ending]);
}

const noSuchJob = (job_id: string): GatewayError =>
  new GatewayError("job_not_found", `There is no job '${job_id}'.`);

function feedBody(
  { groups, is_finished }: JobFeedPage,
  { job_id, after = 0 }: JobFeedQuery,
): JobFeedBody {
  return {
    job_id,
    groups: groups.map(({ environments, ...group }) => {
      return { ...group, rollouts: environments.map(rolloutBody) };
    }),
    next_after: groups.at(-1)?.position ?? after,
    is_finished,
  };
}

function rolloutBody(environment: EnvironmentRow): RolloutBody {
  const { session_id, simulation_id, attempt, env_name, env_params, reward, error } = environment;
  const status = environment.status === "finished" ? "finished" : "failed";
  const about = { session_id, simulation_id, attempt, env_name, env_params };
  return { ...about, status, reward, error };
}

import { setTimeout as delay } from "node:timers/promises";
import { fixedPaths, type JobFeedBody, type RolloutBody } from "@proj/gateway-protocol";
import type { EnvironmentRow, JobFeedPage, JobFeedQuery, SessionStore } from "@proj/session-store";
import { jobs, scores, simulations, tools, usage } from "@proj/session-store/answers";
import type { Express, Request, Response } from "express";
import { GatewayError } from "../errors/gateway-error.ts";
import { readStorage } from "../session/read-storage.ts";
import { browsing, queryOf } from "./browse-endpoints.ts";
import { goneSignal } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { onlyRead } from "./only-methods.ts";
import { naturalNumber, pageLimit, seconds } from "./query-parameters.ts";

/** The longest useful wait of one request, in seconds. */
const maxWaitS = 30;
/** Interval between two reads of storage, to which launchers write directly, in milliseconds. */
const lookEveryMs = 250;

/** Endpoints about jobs, which launchers write. */
export function addJobs(app: Express, dependencies: ControlDependencies): void {
  const { store, readiness } = dependencies;
  const { browser } = store;
  const onlyReadJob = (
    below: string,
    read: (job_id: string, req: Request, res: Response) => Promise<object>,
  ) =>
    onlyRead(app, `${fixedPaths.jobs}/:job_id${below}`, dependencies, (req, res) =>
      read(String(req.params.job_id), req, res),
    );
  onlyRead(app, fixedPaths.jobs, dependencies, () => readStorage(jobs(browser)));
  onlyReadJob(
    "",
    async (job_id) => (await readStorage(browser.readJob(job_id))) ?? noSuchJob(job_id),
  );
  for (const [name, read] of Object.entries({ scores, simulations, tools, usage }))
    onlyReadJob(`/${name}`, (job_id, req) => browsing<object>(read(browser, job_id, queryOf(req))));
  onlyReadJob("/feed", async (job_id, req, res) => {
    const query = { job_id, after: naturalNumber(req, "after"), limit: pageLimit(req) };
    const waitMs = 1_000 * Math.min(seconds(req, "wait"), maxWaitS);
    const signal = AbortSignal.any([goneSignal(res), readiness.ending]);
    return feedBody(await nextPage(store, query, waitMs, signal), query);
  });
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
    if (page === null) return noSuchJob(query.job_id);
    const leftMs = until - performance.now();
    if (page.groups.length > 0 || page.is_finished || leftMs <= 0 || signal.aborted) return page;
    await delay(Math.min(leftMs, lookEveryMs), undefined, { signal }).catch(() => {});
    // Not read again: a gateway that is shutting down keeps its connections open only for a moment.
    if (signal.aborted) return page;
  }
}

function noSuchJob(job_id: string): never {
  throw new GatewayError("job_not_found", `There is no job '${job_id}'.`);
}

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

import type { AttemptUsage, JobSummary, Score, StoreBrowser, StoredRow } from "@proj/session-store";
import type { StoredSession } from "@proj/session-store/answers";
import { type Simulation, scores, simulations, summary, usage } from "@proj/session-store/answers";
import { pageWithData } from "../serving/console-page.ts";

type Answers = Record<string, unknown>;

/** A single page with a job, which it opens, and all its sessions. @throws StoreUnavailableError */
export async function jobPage(browser: StoreBrowser, job_id: string): Promise<string> {
  const job = await browser.readJob(job_id);
  const answers: Answers = {};
  const session_ids = job === null ? [] : await addJob(browser, job, answers);
  answers.start = `#/jobs/${encodeURIComponent(job_id)}`;
  return pageOf(browser, answers, job === null ? [] : [job], session_ids);
}

/** A single page with everything that is stored. @throws StoreUnavailableError */
export async function storagePage(browser: StoreBrowser): Promise<string> {
  const answers: Answers = {};
  const jobs = await browser.readJobs();
  for (const job of jobs) await addJob(browser, job, answers);
  const session_ids = new Set<string>();
  for (let before: number | null | undefined; before !== null; ) {
    const found = await browser.findSessions({ before, limit: 200 });
    for (const session_id of found.session_ids) session_ids.add(session_id);
    before = found.next_before;
  }
  return pageOf(browser, answers, jobs, session_ids);
}

async function pageOf(
  browser: StoreBrowser,
  answers: Answers,
  jobs: readonly JobSummary[],
  session_ids: Iterable<string>,
): Promise<string> {
  const sessions: StoredSession[] = [];
  for (const session_id of session_ids) {
    const path = `/v1/sessions/${encodeURIComponent(session_id)}`;
    const found = await summary(browser, session_id, () => null);
    if (found === null) continue;
    sessions.push(found.session);
    answers[`${path}/summary`] = found;
    answers[`${path}/rows`] = { rows: await allRows(browser, session_id), next_after: null };
  }
  answers["/v1/jobs"] = { jobs };
  answers["/v1/sessions"] = { sessions, next_before: null };
  return pageWithData(answers);
}

/** @returns the ids of its sessions */
async function addJob(
  browser: StoreBrowser,
  job: JobSummary,
  answers: Answers,
): Promise<readonly string[]> {
  const path = `/v1/jobs/${encodeURIComponent(job.job_id)}`;
  const all: Simulation[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const query = new URLSearchParams({ limit: "10000", after });
    const page = await simulations(browser, job.job_id, query);
    all.push(...page.simulations);
    after = page.next_after;
  }
  const attempts: AttemptUsage[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const page = await usage(browser, job.job_id, new URLSearchParams({ after }));
    attempts.push(...page.attempts);
    after = page.next_after;
  }
  const said: Score[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const page = await scores(browser, job.job_id, new URLSearchParams({ after }));
    said.push(...page.scores);
    after = page.next_after;
  }
  answers[path] = job;
  answers[`${path}/scores`] = { scores: said, next_after: null };
  answers[`${path}/simulations`] = { simulations: all, next_after: null };
  answers[`${path}/usage`] = { attempts, next_after: null };
  return all.map(({ session_id }) => session_id);
}

async function allRows(browser: StoreBrowser, session_id: string): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = await browser.readRows({ session_id, after, payload: true });
    rows.push(...page.rows);
    after = page.next_after;
  }
  return rows;
}

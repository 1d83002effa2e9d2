import type { JobSummary, StoreBrowser, StoredRow } from "@proj/session-store";
import type { StoredSession } from "@proj/session-store/answers";
import {
  scores,
  sessionTools,
  simulations,
  summary,
  tools,
  totalTools,
  usage,
} from "@proj/session-store/answers";
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
    answers[`${path}/tools`] = await sessionTools(browser, session_id);
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
  const ask =
    <Page>(
      read: (browser: StoreBrowser, job_id: string, query: URLSearchParams) => Promise<Page>,
    ) =>
    (query: URLSearchParams) =>
      read(browser, job.job_id, query);
  const pages = await everyPage(ask(simulations), { limit: "10000" });
  const all = pages.flatMap((page) => page.simulations);
  const attempts = (await everyPage(ask(usage))).flatMap((page) => page.attempts);
  const said = (await everyPage(ask(scores))).flatMap((page) => page.scores);
  const used = totalTools((await everyPage(ask(tools))).map((page) => page.tools));
  answers[path] = job;
  answers[`${path}/scores`] = { scores: said, next_after: null };
  answers[`${path}/simulations`] = { simulations: all, next_after: null };
  answers[`${path}/tools`] = { tools: used, next_after: null };
  answers[`${path}/usage`] = { attempts, next_after: null };
  return all.map(({ session_id }) => session_id);
}

async function everyPage<Page extends { readonly next_after: string | null }>(
  read: (query: URLSearchParams) => Promise<Page>,
  given: Readonly<Record<string, string>> = {},
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let after: string | null = ""; after !== null; after = pages.at(-1)?.next_after ?? null)
    pages.push(await read(new URLSearchParams({ ...given, after })));
  return pages;
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

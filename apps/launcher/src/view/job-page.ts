import { pageWithData, type Simulation, simulations, summary } from "@proj/console";
import type { JobReader, StoredRow } from "@proj/session-store";

/** A page that shows a job and all its sessions by itself. */
export async function jobPage(store: JobReader, job_id: string): Promise<string> {
  const answers: Record<string, unknown> = {};
  const attempts: Simulation[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const query = new URLSearchParams({ limit: "1000", after });
    const page = await simulations(store.browser, job_id, query);
    attempts.push(...page.simulations);
    after = page.next_after;
  }
  const sessions: object[] = [];
  for (const { session_id } of attempts) {
    const path = `/v1/sessions/${encodeURIComponent(session_id)}`;
    const found = await summary(store.browser, session_id, () => null);
    if (found === null) continue;
    sessions.push(found.session);
    answers[`${path}/summary`] = found;
    answers[`${path}/rows`] = { rows: await allRows(store, session_id), next_after: null };
  }
  const job = await store.readJob(job_id);
  answers["/v1/jobs"] = { jobs: [job] };
  const path = `/v1/jobs/${encodeURIComponent(job_id)}`;
  answers[path] = job;
  answers[`${path}/simulations`] = { simulations: attempts, next_after: null };
  answers["/v1/sessions"] = { sessions, next_before: null };
  return pageWithData(answers);
}

async function allRows(store: JobReader, session_id: string): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = await store.browser.readRows({ session_id, after, payload: true });
    rows.push(...page.rows);
    after = page.next_after;
  }
  return rows;
}

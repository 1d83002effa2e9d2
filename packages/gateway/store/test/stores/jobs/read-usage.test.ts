import { expect, test } from "vitest";
import type { AttemptUsage, UsagePage } from "../../../src/job-pages.ts";
import type { StepRow } from "../../../src/store.ts";
import { newSession, soon } from "../../temporary-database.ts";
import { newJobId, sharedJobs, simulations } from "../../temporary-jobs.ts";

const database = sharedJobs();

async function allUsage(job_id: string): Promise<AttemptUsage[]> {
  const found: AttemptUsage[] = [];
  for (let after: UsagePage["next_after"] | undefined; after !== null; ) {
    const page: UsagePage = await database.jobs.readUsage({ job_id, after });
    found.push(...page.attempts);
    after = page.next_after;
  }
  return found;
}

test("sums what each attempt of a job used, over all its models, page by page", async () => {
  const { jobs, store } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(45));
  const claimed = await jobs.claim({ job_id, owner: "me", limit: 100 });
  const rows = claimed.flatMap(({ session_id }, index): StepRow[] => {
    const { row } = newSession(store);
    // In floating point, 0.1 and 0.2 dollars would not add up.
    const costs = index === 44 ? [] : [100_000_000, 200_000_000, undefined];
    // More rows than one read covers.
    if (index === 10 || index === 20) costs.push(...new Array<undefined>(1000));
    return costs.map((cost_nano_usd, step) =>
      row(step + 1, {
        session_id,
        request_id: `${session_id}-${step}`,
        model: step === 1 ? "judge" : "policy",
        status_code: step === 2 ? 502 : 200,
        meta_json: JSON.stringify({ prompt_tokens: 10, completion_tokens: 1, cost_nano_usd }),
      }),
    );
  });
  const bindings = new Map<string, number>();
  for (const { session_id } of claimed)
    bindings.set(session_id, (await store.bindSession(session_id)).epoch);
  await store.writeSteps(
    rows.map((row) => ({ ...row, epoch: bindings.get(row.session_id) ?? null })),
    soon(),
  );

  const used = await allUsage(job_id);
  expect(used.map(({ simulation_id }) => simulation_id)).toEqual(
    claimed.map(({ simulation_id }) => simulation_id).toSorted(),
  );
  const counts = { calls: 3, prompt_tokens: 30, completion_tokens: 3, cost_nano_usd: 300_000_000 };
  const [long, ...ordinary] = used.toSorted((one, other) => other.calls - one.calls);
  expect(long).toMatchObject({ calls: 1003, prompt_tokens: 10_030, cost_nano_usd: 300_000_000 });
  const models = ["judge", "policy"];
  for (const attempt of ordinary.slice(1, -1))
    expect(attempt).toMatchObject({ attempt: 1, models, ...counts });
  const nothing = {
    models: [],
    calls: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cost_nano_usd: 0,
  };
  expect(used.at(-1)).toMatchObject(nothing);
  expect(await allUsage("unknown")).toEqual([]);
});

test("a page has at most 2,000 rows, or those of one long attempt", async () => {
  const { jobs, store } = database;
  const job_id = newJobId();
  const lengths = [1, 1999, 2001, 1, 0];
  await jobs.addSimulations(job_id, simulations(lengths.length));
  const claimed = await jobs.claim({ job_id, owner: "me", limit: 100 });
  for (const { session_id, simulation_id } of claimed) {
    const { row } = newSession(store);
    const { epoch } = await store.bindSession(session_id);
    const length = lengths[Number(simulation_id.slice(-3)) - 1] ?? 0;
    const rows = Array.from({ length }, (_, step) => {
      return row(step + 1, { session_id, epoch, request_id: `${session_id}-${step}` });
    });
    await store.writeSteps(rows, soon());
  }
  const pages: number[][] = [];
  for (let after: UsagePage["next_after"] | undefined; after !== null; ) {
    const page: UsagePage = await jobs.readUsage({ job_id, after });
    pages.push(page.attempts.map(({ calls }) => calls));
    after = page.next_after;
  }
  expect(pages).toEqual([[1, 1999], [2001], [1, 0]]);
});

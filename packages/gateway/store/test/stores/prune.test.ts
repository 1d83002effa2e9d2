import { expect, test } from "vitest";
import type { NewSimulation } from "../../src/job-store.ts";
import type { StepRow } from "../../src/store.ts";
import { builtOn, newSession, soon, utf8 } from "../temporary-database.ts";
import { newJobId, sharedJobs, simulations } from "../temporary-jobs.ts";

const database = sharedJobs();
const old = "2026-01-02T03:04:05.678Z";
const cutoff = "2026-02-01T00:00:00.000Z";
const recent = "2026-03-01T00:00:00.000Z";

async function write(...rows: readonly StepRow[]): Promise<void> {
  await database.store.writeSteps(rows, soon());
}

/** The prunable sessions of a job, in the order of pages. */
async function findAll(job_id: string, keep: "rewards" | "rows" = "rewards"): Promise<string[]> {
  const found: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = await database.jobs.findPrunable({ before: cutoff, keep, job_id, after });
    found.push(...page.session_ids);
    after = page.next_after;
  }
  return found;
}

/** A session of `rows` rows, each built on the one before it. */
async function longSession(rows: number, job_id: string, image: string) {
  const session = newSession(database.store);
  let base: Parameters<typeof builtOn>[0];
  for (let step = 1; step <= rows; step += 1) {
    const shared = { messages: utf8(`,"${step}"`), history: builtOn(base, base ? 3 : 0) };
    const whole = { messages: utf8(`["0","${image}"`) };
    const row = session.row(step, { job_id, ...(base === undefined ? whole : shared) });
    [base] = await database.store.writeSteps([row], soon());
  }
  return session;
}

test("only sessions that are old, have ended and that no other session begins from are pruned", async () => {
  const { jobs, store } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(3));
  const [running, ended] = await jobs.claim({ job_id, owner: "me", limit: 2 });
  const [pending] = (await jobs.readEnvironments({ job_id, status: "pending" })).environments;
  const own = { job_id, created_at: old };
  const [plain, mixed, origin, fork] = [1, 2, 3, 4].map(() => newSession(store));
  if (!(running && ended && pending && plain && mixed && origin && fork))
    throw new Error("nothing claimed");
  const asOf = (session_id: string) =>
    plain.row(1, { ...own, session_id, request_id: `${session_id}-1` });
  const attempts = [running.session_id, ended.session_id, pending.session_id];
  await write(...attempts.map(asOf));
  await jobs.fail({
    ...{ session_id: ended.session_id, owner: "me", error: "agent: no", result: null },
    max_attempts: 1,
  });
  await store.forkSession({
    ...{ session_id: fork.session_id, from_session_id: origin.session_id, model: null },
    ...{ step: null, mode: "fork", ignore: [] },
  });
  await write(plain.row(1, own), mixed.row(1, own), origin.row(1, own), fork.row(1, own));
  await write(mixed.row(2, { job_id, created_at: recent }));
  const expected = [ended.session_id, plain.session_id, fork.session_id];
  expect((await findAll(job_id)).toSorted()).toEqual(expected.toSorted());

  // A caller that names the others does not prune them either.
  const named = [...expected, ...attempts, mixed.session_id, origin.session_id];
  const pruning = { session_ids: named, keep: "rewards", before: cutoff } as const;
  expect(await jobs.pruneSessions(pruning)).toBe(3);
  expect(await plain.steps()).toEqual([]);
  expect(await mixed.steps()).toHaveLength(2);
  expect(await jobs.readEnvironment(ended.session_id)).toMatchObject({ status: "failed" });
  // The fork is gone, so its origin may follow.
  expect(await findAll(job_id)).toEqual([origin.session_id]);
  expect(await jobs.pruneSessions(pruning)).toBe(1);
  expect(await findAll(job_id)).toEqual([]);
});

test("a fork that keeps its rows, or ended without any, does not keep its origin", async () => {
  const { jobs, store } = database;
  const job_id = newJobId();
  const origins = [newSession(store), newSession(store)] as const;
  for (const { row } of origins) await write(row(1, { job_id, created_at: old }));
  const forks = origins.map(({ session_id }, index) => ({
    ...{ simulation_id: `sim-${index}`, env_name: null, env_params: null, group_id: null },
    fork: { from_session_id: session_id, model: null, step: null, mode: "fork", ignore: [] },
  })) satisfies NewSimulation[];
  await jobs.addSimulations(job_id, forks);
  const [begun, dead] = await jobs.claim({ job_id, owner: "me", limit: 2 });
  if (begun === undefined || dead === undefined) throw new Error("nothing claimed");
  const { session_id } = begun;
  await write(origins[0].row(1, { job_id, session_id, request_id: session_id, created_at: old }));
  expect(await findAll(job_id)).toEqual([]);
  const failure = { owner: "me", error: "agent: no", result: null, max_attempts: 1 };
  await jobs.fail({ session_id: dead.session_id, ...failure });
  expect(await findAll(job_id)).toEqual([origins[1].session_id]);
  await jobs.fail({ session_id, ...failure });
  expect((await findAll(job_id, "rows")).toSorted()).toEqual(
    [origins[1].session_id, session_id].toSorted(),
  );
  await jobs.pruneSessions({ session_ids: [session_id], keep: "rows", before: cutoff });
  const expected = origins.map((origin) => origin.session_id);
  expect((await findAll(job_id, "rows")).toSorted()).toEqual(expected.toSorted());
});

test("rows may stay without their payloads, and large values go with their last user", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  const image = "i".repeat(40_000);
  const values = () =>
    database.query<{ scope: string }>("select scope from stored_values where scope = ?", job_id);
  const emptied = await longSession(3, job_id, image);
  const deleted = await longSession(3, job_id, image);
  expect(await values()).toHaveLength(1);
  const rows = { session_ids: [emptied.session_id], keep: "rows", before: cutoff } as const;
  expect(await jobs.pruneSessions(rows)).toBe(3);
  const bases = "select messages_base from stored_steps where session_id = ?";
  expect(await database.query(bases, emptied.session_id)).toEqual(
    [1, 2, 3].map(() => ({ messages_base: null })),
  );
  expect(await emptied.steps()).toMatchObject(
    [1, 2, 3].map((step_id) => ({ step_id, request: null, response: null, messages: null })),
  );
  expect(await findAll(job_id, "rows")).toEqual([deleted.session_id]);
  const [first] = await deleted.steps();
  expect(first?.messages).toContain(image);
  expect(await values()).toHaveLength(1);
  await jobs.pruneSessions({ session_ids: [deleted.session_id], keep: "rewards" });
  expect(await values()).toHaveLength(0);
  expect(await emptied.steps()).toHaveLength(3);
});

test("a session is on the page of its first row alone", async () => {
  const { jobs, store } = database;
  const job_id = newJobId();
  const { row, session_id } = newSession(store);
  const rows = [row(1, { job_id, created_at: old }), row(2, { job_id, created_at: old })];
  const [first] = await store.writeSteps(rows, soon());
  const query = { before: cutoff, keep: "rewards", job_id } as const;
  const from = await jobs.findPrunable({ ...query, after: (first?.id ?? 0) - 1 });
  expect(from).toMatchObject({ session_ids: [session_id], rows: 2 });
  const later = await jobs.findPrunable({ ...query, after: first?.id ?? 0 });
  expect(later.session_ids).toEqual([]);
});

test("a pruning that is cut short leaves rows that read as before, and is continued", async () => {
  const { store } = database;
  const job_id = newJobId();
  const { row, session_id, steps } = newSession(store);
  const rows = Array.from({ length: 600 }, (_, index) => row(index + 1, { job_id }));
  await write(...rows);
  const before = await steps();
  const cut = await database.openJobs();
  const pruning = { session_ids: [session_id], keep: "rewards", before: cutoff } as const;
  const cutShort = cut.pruneSessions(pruning).catch(() => 0);
  await cut.close();
  await cutShort;
  const left = await steps();
  expect(left).toEqual(before.slice(0, left.length));
  expect(await findAll(job_id)).toEqual(left.length === 0 ? [] : [session_id]);
  expect(await database.jobs.pruneSessions(pruning)).toBe(left.length);
  expect(await steps()).toEqual([]);
});

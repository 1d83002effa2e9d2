import fc from "fast-check";
import { expect, test } from "vitest";
import type { StepRow, StoredStep } from "../../src/store.ts";
import { newSession, sharedDatabase, soon, utf8 } from "../temporary-database.ts";

const database = sharedDatabase();

interface WholeStep {
  readonly request: string;
  readonly messages: string;
}

/** Writes steps one after the other, each as what it adds to the earlier step `base`; null: whole. */
async function writeChain(
  steps: readonly (WholeStep & { readonly base: number | null })[],
): Promise<{ readonly session_id: string; readonly read: () => Promise<StoredStep[]> }> {
  const { session_id, row, steps: read } = newSession(database.store);
  const ids: number[] = [];
  for (const [index, { base, ...step }] of steps.entries()) {
    const earlier = base === null ? undefined : steps[base];
    const columns =
      earlier === undefined ? wholeColumns(step) : difference(step, earlier, ids[base ?? 0] ?? 0);
    const [written] = await database.store.writeSteps([row(index + 1, columns)], soon());
    ids.push(written?.id ?? 0);
  }
  return { session_id, read };
}

const wholeColumns = ({ request, messages }: WholeStep): Partial<StepRow> => ({
  request: utf8(request),
  messages: utf8(messages),
});

function difference(step: WholeStep, earlier: WholeStep, messages_base: number): Partial<StepRow> {
  const own = Buffer.from(step.messages);
  const other = Buffer.from(earlier.messages);
  let messages_shared = 0;
  while (messages_shared < other.length && own[messages_shared] === other[messages_shared])
    messages_shared += 1;
  // Never cut inside a character: the rest would not be text.
  while (((own[messages_shared] ?? 0) & 0xc0) === 0x80) messages_shared -= 1;
  return {
    request: step.request === earlier.request ? null : utf8(step.request),
    messages: own.subarray(messages_shared),
    history: { messages_base, messages_shared },
  };
}

const wholeSteps = (steps: readonly StoredStep[]): unknown[] =>
  steps.map(({ request, messages }) => ({ request, messages }));

/** The rows of the view, which SQL and other programs read. */
async function viewedSteps(session_id: string): Promise<unknown[]> {
  const rows = await database.query<{ request: string; messages: string }>(
    "select request, messages from session_steps where session_id = ? order by id",
    session_id,
  );
  return rows.map(({ request, messages }) => ({ request, messages }));
}

test("any chain or tree of histories reads back as sent, through the store and through the view", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 });
  const step = fc.record({
    kept: fc.nat(1000),
    added: text,
    request: text,
    base: fc.nat(1000),
    whole: fc.nat(9),
  });
  const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (plan) => {
    const steps: (WholeStep & { base: number | null })[] = [];
    for (const { kept, added, request, base, whole } of plan) {
      const on = steps.length === 0 || whole === 0 ? null : base % steps.length;
      const earlier = on === null ? "" : (steps[on]?.messages ?? "");
      const messages = [...earlier].slice(0, kept % ([...earlier].length + 1)).join("") + added;
      const former = on === null ? undefined : steps[on]?.request;
      steps.push({ messages, request: kept % 2 === 0 ? (former ?? request) : request, base: on });
    }
    const { session_id, read } = await writeChain(steps);
    const expected = steps.map(({ request, messages }) => ({ request, messages }));
    expect(wholeSteps(await read())).toEqual(expected);
    expect(await viewedSteps(session_id)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 60, seed: 5 });
});

test("a page that begins in the middle of a chain reads the same", async () => {
  const steps = Array.from({ length: 64 }, (_, index) => ({
    request: "settings",
    messages: JSON.stringify(
      Array.from({ length: index + 1 }, (_each, each) => `message ${each} 漢`),
    ),
    base: index === 0 ? null : index - 1,
  }));
  const { session_id } = await writeChain(steps);
  const { next_after } = await database.store.readSteps({ session_id, limit: 60 });
  const page = await database.store.readSteps({ session_id, after: next_after ?? 0 });
  expect(wholeSteps(page.steps)).toEqual(
    steps.slice(60).map(({ request, messages }) => ({ request, messages })),
  );
});

test("a page is limited by the size of its whole rows", async () => {
  const long = `["${"x".repeat(5 * 1024 * 1024)}"`;
  const steps = [`${long}]`, `${long},1]`, `${long},1,2]`].map((messages, index) => ({
    request: "settings",
    messages,
    base: index === 0 ? null : index - 1,
  }));
  const { session_id } = await writeChain(steps);
  const page = await database.store.readSteps({ session_id });
  expect(page.steps).toHaveLength(1);
  expect(page.next_after).not.toBeNull();
});

test("rewards are updated through the view", async () => {
  const steps = [
    { request: "settings", messages: '["one"]', base: null },
    { request: "settings", messages: '["one","two"]', base: 0 },
  ];
  const { session_id, read } = await writeChain(steps);
  await database.execute(
    `update session_steps set reward = 0.5, step_reward = 0.5, is_trainable = true,
     is_session_completed = true, meta_json = '{"eval":{}}' where session_id = ? and step_id = 2`,
    session_id,
  );
  const [first, second] = await read();
  expect(first).toMatchObject({ reward: null, is_session_completed: false });
  expect(second).toMatchObject({
    reward: 0.5,
    step_reward: 0.5,
    is_trainable: true,
    is_session_completed: true,
    meta_json: '{"eval":{}}',
    messages: '["one","two"]',
  });
});

test("a history that has lost its beginning does not pass as whole", async () => {
  const steps = [
    { request: "settings", messages: '["one"]', base: null },
    { request: "settings", messages: '["one","two"]', base: 0 },
  ];
  const { session_id, read } = await writeChain(steps);
  await database.execute(
    "delete from stored_steps where session_id = ? and step_id = 1",
    session_id,
  );
  const unknown = [{ request: null, messages: null }];
  expect(wholeSteps(await read())).toEqual(unknown);
  expect(await viewedSteps(session_id)).toEqual(unknown);
});

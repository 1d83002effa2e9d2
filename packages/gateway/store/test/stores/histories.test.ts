import fc from "fast-check";
import { expect, test } from "vitest";
import type { StepRow, StepWritten, StoredStep } from "../../src/store.ts";
import { builtOn, newSession, sharedDatabase, soon, utf8 } from "../temporary-database.ts";

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
  const stored: StepWritten[] = [];
  for (const [index, { base, ...step }] of steps.entries()) {
    const earlier = base === null ? undefined : steps[base];
    const columns =
      earlier === undefined ? wholeColumns(step) : difference(step, earlier, stored[base ?? 0]);
    stored.push(...(await database.store.writeSteps([row(index + 1, columns)], soon())));
  }
  return { session_id, read };
}

const wholeColumns = ({ request, messages }: WholeStep): Partial<StepRow> => ({
  request: utf8(request),
  messages: utf8(messages),
});

function difference(
  step: WholeStep,
  earlier: WholeStep,
  base: StepWritten | undefined,
): Partial<StepRow> {
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
    history: builtOn(base, messages_shared),
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

test.each([
  ["emptied", "null", [null, null, null]],
  ["shortened", `'["on'`, ['["on', null, null]],
])("a history whose beginning was %s does not pass as whole", async (_, changed, expected) => {
  const steps = ['["one"]', '["one","two"]', '["one","two",3]'].map((messages, index) => ({
    request: "settings",
    messages,
    base: index === 0 ? null : index - 1,
  }));
  const { session_id, read } = await writeChain(steps);
  await database.execute(
    `update stored_steps set messages = ${changed} where session_id = ? and step_id = 1`,
    session_id,
  );
  const left = expected.map((messages) => ({ request: "settings", messages }));
  expect(wholeSteps(await read())).toEqual(left);
  expect(await viewedSteps(session_id)).toEqual(left);
});

test.each([
  ["itself", "(select max(id) from stored_steps where session_id = ?)"],
  ["a later row", "(select max(id) + 1 from stored_steps where session_id = ?)"],
  ["another session's row", "(select min(id) from stored_steps where session_id <> ?)"],
])("a damaged row that builds on %s ends, and does not pass as whole", async (_, base) => {
  await writeChain([{ request: "theirs", messages: '["secret"]', base: null }]);
  const steps = [
    { request: "settings", messages: '["one"]', base: null },
    { request: "settings", messages: '["one","two"]', base: 0 },
  ];
  const { session_id, read } = await writeChain(steps);
  await database.execute(
    `update stored_steps set messages_base = ${base} where session_id = ? and step_id = 2`,
    ...[session_id, session_id],
  );
  const expected = [
    { request: "settings", messages: '["one"]' },
    { request: null, messages: null },
  ];
  expect(wholeSteps(await read())).toEqual(expected);
  expect(await viewedSteps(session_id)).toEqual(expected);
});

test("a row whose base is gone, or another row, says so, and keeps its answer", async () => {
  const { store } = database;
  const { row, steps } = newSession(store);
  const [first] = await store.writeSteps([row(1, { messages: utf8('["one"]') })], soon());
  const rest = { request: utf8("settings"), messages: utf8(',"two"]') };
  const written = await store.writeSteps(
    [
      row(2, { ...rest, history: { ...builtOn(first, 6), messages_base: 1_000_000_000 } }),
      row(3, { ...rest, history: { ...builtOn(first, 6), base_request_id: "of another row" } }),
      row(4, { ...rest, history: builtOn(first, 6) }),
    ],
    soon(),
  );
  expect(written.map(({ stored }) => stored)).toEqual([
    "without_payload",
    "without_payload",
    "whole",
  ]);
  const [, second, third, fourth] = await steps();
  for (const lost of [second, third]) {
    expect(lost).toMatchObject({ request: "settings", messages: null });
    expect(lost?.response).not.toBeNull();
    expect(lost?.meta_json).toContain("is no longer in the database");
  }
  expect(fourth).toMatchObject({ request: "settings", messages: '["one","two"]' });
});

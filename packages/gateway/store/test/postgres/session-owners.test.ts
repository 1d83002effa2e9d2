import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../src/postgres/open-postgres-store.ts";
import type { SessionStore } from "../../src/store.ts";
import { newSession, sharedDatabase, soon } from "../temporary-database.ts";

const database = sharedDatabase();

/** The store of another gateway. */
async function otherGateway(): Promise<SessionStore> {
  const store = await openPostgresStore({ db_url: database.db_url });
  onTestFinished(() => store.close());
  return store;
}

test("a session's owner keeps its epoch, and another owner takes the next", async () => {
  const { session_id } = newSession(database.store);
  const other = await otherGateway();
  expect(await database.store.bindSession(session_id)).toMatchObject({ epoch: 1, closed_at: null });
  expect(await database.store.bindSession(session_id)).toMatchObject({ epoch: 1, closed_at: null });
  expect(await other.bindSession(session_id)).toMatchObject({ epoch: 2, closed_at: null });
  expect(await database.store.bindSession(session_id)).toMatchObject({ epoch: 3, closed_at: null });
});

test("rows of a past epoch are not stored, and the rest of their batch is", async () => {
  const { session_id, row, steps } = newSession(database.store);
  const kept = newSession(database.store);
  const { epoch } = await database.store.bindSession(session_id);
  const own = await database.store.bindSession(kept.session_id);
  await database.store.writeSteps([row(1, { epoch })], soon());
  const other = await otherGateway();
  const next = await other.bindSession(session_id);
  await other.writeSteps([row(2, { epoch: next.epoch })], soon());

  const late = row(2, { epoch, request_id: `${session_id}-late` });
  const mixed = [kept.row(1, { epoch: own.epoch }), late, kept.row(2, { epoch: own.epoch })];
  const written = await database.store.writeSteps(mixed, soon());
  expect(written.map(({ stored }) => stored)).toEqual(["whole", "moved", "whole"]);
  expect((await steps()).map(({ request_id }) => request_id)).toEqual([
    row(1).request_id,
    row(2).request_id,
  ]);
  expect((await kept.steps()).map(({ step_id }) => step_id)).toEqual([1, 2]);
});

test("a row that was stored before its session moved is still reported as stored", async () => {
  const { session_id, row } = newSession(database.store);
  const { epoch } = await database.store.bindSession(session_id);
  await database.store.writeSteps([row(1, { epoch })], soon());
  await (await otherGateway()).bindSession(session_id);
  expect(await database.store.writeSteps([row(1, { epoch })], soon())).toMatchObject([
    { step_id: 1, stored: "whole" },
  ]);
});

test("a gateway that returns after another one had the session is fenced by its old epoch", async () => {
  const { session_id, row } = newSession(database.store);
  const before = await database.store.bindSession(session_id);
  await (await otherGateway()).bindSession(session_id);
  const after = await database.store.bindSession(session_id);
  const rows = [row(1, { epoch: before.epoch }), row(2, { epoch: after.epoch })];
  const written = await database.store.writeSteps(rows, soon());
  expect(written.map(({ stored }) => stored)).toEqual(["moved", "whole"]);
});

test("rows of a session that could not be bound bind it when they are written", async () => {
  const { session_id, row, steps } = newSession(database.store);
  await database.store.writeSteps([row(1), row(2)], soon());
  expect((await steps()).map(({ step_id }) => step_id)).toEqual([1, 2]);
  expect(await database.store.bindSession(session_id)).toMatchObject({ epoch: 1, closed_at: null });
});

test("a close holds for every gateway until the session is opened again", async () => {
  const { session_id, row } = newSession(database.store);
  const { epoch } = await database.store.bindSession(session_id);
  const other = await otherGateway();
  await other.closeSession(session_id);
  const [late] = await database.store.writeSteps([row(1, { epoch })], soon());
  expect(late?.stored).toBe("moved");
  const closed = await database.store.bindSession(session_id);
  expect(closed.closed_at).toMatch(/^\d{4}-.*Z$/);
  await other.closeSession(session_id);
  expect((await other.bindSession(session_id)).closed_at).toBe(closed.closed_at);
});

test("an unknown session can be closed", async () => {
  const { session_id } = newSession(database.store);
  await database.store.closeSession(session_id);
  expect(await database.store.bindSession(session_id)).toMatchObject({ epoch: 1 });
  expect((await database.store.bindSession(session_id)).closed_at).not.toBeNull();
});

test("while gateways take a session from each other, no number repeats and the next one knows every row", async () => {
  const { session_id, row, steps } = newSession(database.store);
  const stores = [database.store, await otherGateway(), await otherGateway()];
  let requests = 0;
  let acknowledged = 0;
  // Each counts on from what is stored when it binds, as a gateway does.
  const rounds = stores.map(async (store) => {
    for (let round = 0; round < 20; round += 1) {
      const { epoch } = await store.bindSession(session_id);
      const [model] = (await store.readSession(session_id)).models;
      for (let step = 1; step <= 3; step += 1) {
        requests += 1;
        const request_id = `${session_id}-${requests}`;
        const step_id = (model?.steps ?? 0) + step;
        const [written] = await store.writeSteps([row(step_id, { epoch, request_id })], soon());
        if (written?.stored === "moved") break;
        expect(written?.step_id).toBe(step_id);
        acknowledged += 1;
      }
    }
  });
  await Promise.all(rounds);
  const numbers = (await steps()).map(({ step_id }) => step_id);
  expect(numbers).toHaveLength(acknowledged);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test("bindings are read without being changed, many in one query", async () => {
  const { session_id } = newSession(database.store);
  const other = await otherGateway();
  expect(await other.readBinding(session_id)).toBeNull();
  await database.store.bindSession(session_id);
  await database.store.closeSession(session_id);
  const [own, same, unknown] = await Promise.all(
    [session_id, session_id, "nobody's"].map((id) => other.readBinding(id)),
  );
  expect(own).toMatchObject({ epoch: 1, closed_at: expect.stringMatching(/Z$/) });
  expect(same).toEqual(own);
  expect(unknown).toBeNull();
});

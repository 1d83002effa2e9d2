import { expect, test } from "vitest";
import { newSession, sharedDatabase } from "../temporary-database.ts";

const database = sharedDatabase();

test("a close lasts until the session is opened again, and its time stays known", async () => {
  const { store } = database;
  const { session_id } = newSession(store);
  const open = await store.bindSession(session_id);
  expect(open).toMatchObject({ closed_at: null, last_closed_at: null });
  await store.closeSession(session_id);
  const { closed_at } = await store.bindSession(session_id);
  expect(closed_at).toMatch(/^\d{4}-.*Z$/);
  await store.closeSession(session_id);
  const closed = { closed_at, last_closed_at: closed_at };
  expect(await store.bindSession(session_id)).toMatchObject(closed);
  expect(await store.readBinding(session_id)).toMatchObject(closed);

  for (let time = 0; time < 2; time += 1) {
    await store.reopenSession(session_id);
    const reopened = { closed_at: null, last_closed_at: closed_at };
    expect(await store.bindSession(session_id)).toMatchObject(reopened);
    expect(await store.readBinding(session_id)).toMatchObject(reopened);
  }
  await store.closeSession(session_id);
  const again = await store.bindSession(session_id);
  expect(again.last_closed_at).toBe(again.closed_at);
  expect(again.closed_at).not.toBeNull();
});

test("opening an unknown session again changes nothing", async () => {
  const { session_id } = newSession(database.store);
  await database.store.reopenSession(session_id);
  expect(await database.store.bindSession(session_id)).toMatchObject({ last_closed_at: null });
});

import { expect, test } from "vitest";
import { newSession, sharedDatabase } from "../temporary-database.ts";

const database = sharedDatabase();

test("the conversations of a session are told as they were stored first, oldest first", async () => {
  const { store } = database;
  const { session_id } = newSession(store);
  const one = { conversation_id: "conv_1", model: "policy", replica: "http://one/v1" };
  const two = { conversation_id: "conv_2", model: "other", replica: null };
  await store.keepConversation(session_id, one);
  await store.keepConversation(session_id, { ...one, model: "other" });
  await store.keepConversation(session_id, two);
  await store.keepConversation(newSession(store).session_id, one);
  await database.execute(
    "update session_conversations set created_at = '2020-01-01T00:00:00.000Z' where conversation_id = ?",
    two.conversation_id,
  );
  expect(await store.readConversations(session_id)).toEqual([two, one]);
  expect(await store.readConversations("nobody's")).toEqual([]);
});

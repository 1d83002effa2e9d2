import { expect, test } from "vitest";
import { newSession, sharedDatabase, soon } from "../temporary-database.ts";

const database = sharedDatabase();

test("a session's responses are read with their steps, and unfinished ones with their metadata", async () => {
  const { session_id, row } = newSession(database.store);
  const other = newSession(database.store);
  const meta = (members: object): string => JSON.stringify(members);
  const talk = { endpoint: "responses", continues: { by: "conversation", id: "conv_1" } };
  const queued = meta({ response_id: "resp_2", replica: null, note: "ü", ...talk });
  await database.store.writeSteps(
    [
      row(1, {
        meta_json: meta({ response_id: "resp_1", replica: "http://one/v1", store: false, ...talk }),
      }),
      row(2, { meta_json: queued, status_code: 202 }),
      // A text that only looks like a response id.
      row(3, { meta_json: meta({ error: '"response_id":"resp_3"' }) }),
      row(4, { meta_json: meta({}) }),
      other.row(1, { meta_json: meta({ response_id: "resp_4" }) }),
    ],
    soon(),
  );
  const { model } = row(1);
  expect(await database.store.readResponses(session_id)).toEqual([
    {
      ...{ response_id: "resp_1", request_id: row(1).request_id, model, step_id: 1 },
      ...{ replica: "http://one/v1", pending_meta_json: null },
      ...{ endpoint: "responses", conversation_id: "conv_1", is_stored: false },
    },
    {
      ...{ response_id: "resp_2", request_id: row(2).request_id, model, step_id: 2 },
      ...{ replica: null, pending_meta_json: queued },
      // Its answer is not there yet.
      ...{ endpoint: "responses", conversation_id: null, is_stored: true },
    },
  ]);
  expect(await database.store.readResponses("nobody's")).toEqual([]);
  const { request_id } = row(4);
  const { steps, next_after } = await database.store.readSteps({ session_id, request_id });
  expect(steps.map(({ step_id }) => step_id)).toEqual([4]);
  expect(next_after).toBeNull();
  const { session_id: others } = other;
  expect((await database.store.readSteps({ session_id: others, request_id })).steps).toEqual([]);
});

import { expect, test } from "vitest";
import {
  allSteps,
  connectTo,
  openStoreOf,
  soon,
  stepRow,
  temporaryFile,
  utf8,
} from "../temporary-database.ts";

test("stores a batch in its order and answers one result for each row", async () => {
  const store = await openStoreOf(await temporaryFile());
  const rows = [stepRow(2), stepRow(1), stepRow(3, { model: "judge", status_code: 502 })];
  expect(await store.writeSteps(rows, soon())).toEqual([
    { request_id: "request-2", step_id: 2, stored: "whole" },
    { request_id: "request-1", step_id: 1, stored: "whole" },
    { request_id: "request-3", step_id: 3, stored: "whole" },
  ]);
  const steps = await allSteps(store);
  expect(steps.map((step) => [step.model, step.step_id, step.status_code])).toEqual([
    ["policy", 2, 200],
    ["policy", 1, 200],
    ["judge", 3, 502],
  ]);
  expect(steps.map((step) => step.id)).toEqual([1, 2, 3]);
});

test("an empty batch is no transaction", async () => {
  const store = await openStoreOf(await temporaryFile());
  expect(await store.writeSteps([], { deadline: 0 })).toEqual([]);
});

test("a row that was stored before is left as it is and reported again", async () => {
  const store = await openStoreOf(await temporaryFile());
  await store.writeSteps([stepRow(1), stepRow(2)], soon());
  const again = stepRow(2, { response: utf8('{"id":"another"}') });
  expect(await store.writeSteps([again, stepRow(3)], soon())).toEqual([
    { request_id: "request-2", step_id: 2, stored: "whole" },
    { request_id: "request-3", step_id: 3, stored: "whole" },
  ]);
  const steps = await allSteps(store);
  expect(steps.map((step) => step.step_id)).toEqual([1, 2, 3]);
  expect(steps[1]?.response).toBe('{"id":"answer"}');
});

test("a taken number gives way to the next free one, and the row says so", async () => {
  const store = await openStoreOf(await temporaryFile());
  await store.writeSteps([stepRow(1), stepRow(7)], soon());
  const late = [
    stepRow(1, { request_id: "late-1" }),
    stepRow(8, { request_id: "late-2", meta_json: "{}" }),
  ];
  const expected = [
    { request_id: "late-1", step_id: 8, stored: "whole" },
    { request_id: "late-2", step_id: 9, stored: "whole" },
  ];
  expect(await store.writeSteps(late, soon())).toEqual(expected);
  expect(await store.writeSteps(late, soon())).toEqual(expected);
  const [, , first, second] = await allSteps(store);
  expect(first?.meta_json).toBe('{"status_code":200,"renumbered_from":1}');
  expect(second?.meta_json).toBe('{"renumbered_from":8}');
});

test("numbers of other sessions and models are not taken", async () => {
  const store = await openStoreOf(await temporaryFile());
  const rows = [
    stepRow(1),
    stepRow(1, { request_id: "other-model", model: "judge" }),
    stepRow(1, { request_id: "other-session", session_id: "session-2" }),
  ];
  const written = await store.writeSteps(rows, soon());
  expect(written.map(({ step_id }) => step_id)).toEqual([1, 1, 1]);
});

test("a row refused for its content is stored without its payload, the others whole", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  connectTo(file).exec(
    `create trigger refuse before insert on session_steps when new.response like '%poison%'
     begin select raise(abort, 'no poison here'); end`,
  );
  const poisoned = stepRow(2, { response: utf8('{"text":"poison"}') });
  const expected = [
    { request_id: "request-1", step_id: 1, stored: "whole" },
    { request_id: "request-2", step_id: 2, stored: "without_payload" },
    { request_id: "request-3", step_id: 3, stored: "whole" },
  ];
  expect(await store.writeSteps([stepRow(1), poisoned, stepRow(3)], soon())).toEqual(expected);
  const [first, second, third] = await allSteps(store);
  expect(first?.response).toBe('{"id":"answer"}');
  expect(third?.response).toBe('{"id":"answer"}');
  expect(second).toMatchObject({ request: null, response: null, messages: null });
  expect(JSON.parse(second?.meta_json ?? "")).toEqual({
    status_code: 200,
    capture_error: "the database refused the payload: no poison here",
  });
  expect(await store.writeSteps([poisoned], soon())).toEqual(expected.slice(1, 2));
});

test("a row that no database could take fails its batch for good, naming it", async () => {
  const store = await openStoreOf(await temporaryFile());
  const impossible = stepRow(Number.NaN, { request_id: "no-number" });
  const failed = store.writeSteps([stepRow(1), impossible], soon());
  await expect(failed).rejects.toThrow(/refuses step no-number even without its payload/);
  await expect(failed).rejects.not.toHaveProperty("name", "StoreUnavailableError");
  expect(await allSteps(store)).toEqual([]);
  expect(await store.writeSteps([stepRow(1)], soon())).toHaveLength(1);
});

test("nothing is committed once the deadline has passed", async () => {
  const store = await openStoreOf(await temporaryFile());
  const late = store.writeSteps([stepRow(1)], { deadline: Date.now() - 1 });
  await expect(late).rejects.toMatchObject({ name: "StoreUnavailableError", writerDied: false });
  expect(await allSteps(store)).toEqual([]);
});

test("an amendment changes status and metadata, and keeps what storage and launcher noted", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  await store.writeSteps([stepRow(1), stepRow(1, { request_id: "renumbered" })], soon());
  connectTo(file).exec(
    `update session_steps set meta_json = '{"eval":{"score":1}}' where request_id = 'request-1'`,
  );
  await store.amendSteps([
    { request_id: "request-1", status_code: 499, meta_json: '{"status_code":499}' },
    { request_id: "renumbered", status_code: 503, meta_json: "{}" },
    { request_id: "never-stored", status_code: 503, meta_json: "{}" },
  ]);
  const steps = await allSteps(store);
  expect(steps.map((step) => [step.status_code, step.meta_json])).toEqual([
    [499, '{"status_code":499,"eval":{"score":1}}'],
    [503, '{"renumbered_from":1}'],
  ]);
  expect(await store.readLatestSuccessStep("session-1", "policy")).toBeNull();
});

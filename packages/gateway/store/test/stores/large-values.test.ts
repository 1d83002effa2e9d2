import fc from "fast-check";
import { expect, test } from "vitest";
import { builtOn, newSession, sharedDatabase, soon, utf8 } from "../temporary-database.ts";

const database = sharedDatabase();

/** What a job stores of large values. */
const valuesOf = (scope: string) =>
  database.query<{ content: string }>(
    "select content from stored_values where scope = ? order by sha256",
    scope,
  );

const viewed = (session_id: string) =>
  database.query<{ request: string; messages: string; response: string }>(
    "select request, messages, response from session_steps where session_id = ? order by id",
    session_id,
  );

const image = (seed: string): string => `data:image/png;base64,${seed.repeat(40_000)}`;

const sameImage = (text: string): string =>
  JSON.stringify([
    { role: "system", content: text },
    { role: "user", content: [{ type: "image_url", image_url: { url: image("AbC+/") } }] },
  ]);

test("an image behind a changing system text is stored once for a job, and reads back as sent", async () => {
  const sessions = [newSession(database.store), newSession(database.store)];
  const sent: string[] = [];
  for (const { row } of sessions) {
    for (let step = 1; step <= 5; step += 1) {
      const messages = sameImage(`it is ${step} o'clock, "sharp" \\ 漢`);
      sent.push(messages);
      const payload = { messages: utf8(messages), response: utf8(`{"b64":"${image("z")}"}`) };
      await database.store.writeSteps([row(step, { ...payload, job_id: "vision" })], soon());
    }
  }
  expect((await valuesOf("vision")).map(({ content }) => content).toSorted()).toEqual(
    [image("AbC+/"), image("z")].toSorted(),
  );
  const read = await Promise.all(sessions.map(({ steps }) => steps()));
  expect(read.flat().map(({ messages }) => messages)).toEqual(sent);
  expect(read.flat().every(({ response }) => response === `{"b64":"${image("z")}"}`)).toBe(true);
  const views = await Promise.all(sessions.map(({ session_id }) => viewed(session_id)));
  expect(views.flat().map(({ messages }) => messages)).toEqual(sent);
  const { rows } = await database.store.browser.readRows({
    session_id: sessions[0]?.session_id ?? "",
    payload: true,
  });
  expect(rows[0]?.messages_bytes).toBe(Buffer.byteLength(sent[0] ?? ""));
  const found = await database.store.browser.findSessions({ text: "AbC+/AbC+/" });
  expect(found.session_ids).toEqual(sessions.map(({ session_id }) => session_id).toReversed());
});

test("any JSON with large strings reads back byte for byte, whole or continued", async () => {
  const long = fc
    .tuple(fc.constantFrom("x", 'a"', "\\", "漢\n", "𝒳"), fc.integer({ min: 1, max: 70_000 }))
    .map(([unit, times]) => unit.repeat(times));
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: "grapheme" }),
      fc.integer(),
      { arbitrary: long, weight: 2 },
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(fc.string({ maxLength: 5 }), tie("any"), { maxKeys: 3 }),
    ),
  })).any;
  const property = fc.asyncProperty(value, value, fc.nat(), async (first, added, cut) => {
    const { row, session_id, steps } = newSession(database.store);
    const { store } = database;
    const whole = { request: JSON.stringify(added), messages: JSON.stringify([first]) };
    const row1 = row(1, { request: utf8(whole.request), messages: utf8(whole.messages) });
    const [base] = await store.writeSteps([row1], soon());
    // The second row may go on in the middle of a string.
    const bytes = Buffer.from(whole.messages);
    let shared = cut % bytes.length;
    while (((bytes[shared] ?? 0) & 0xc0) === 0x80) shared -= 1;
    const rest = JSON.stringify({ added });
    const next = { request: null, messages: utf8(rest), history: builtOn(base, shared) };
    await store.writeSteps([row(2, next)], soon());
    const expected = [whole.messages, bytes.toString("utf8", 0, shared) + rest];
    const read = await steps();
    expect(read.map(({ messages }) => messages)).toEqual(expected);
    expect(read.map(({ request }) => request)).toEqual([whole.request, whole.request]);
    expect((await viewed(session_id)).map(({ messages }) => messages)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 40, seed: 7 });
});

test("a later answer replaces one with a large value", async () => {
  const { row, steps } = newSession(database.store);
  const pending = row(1, { response: utf8(`{"status":"${image("q")}"}`) });
  await database.store.writeSteps([pending], soon());
  const { request_id, meta_json } = pending;
  const answer = `{"output":"${image("r")}"}`;
  await database.store.amendSteps([{ request_id, status_code: 200, meta_json, answer }]);
  expect((await steps())[0]?.response).toBe(answer);
});

test("a payload that has lost a value does not pass as whole", async () => {
  const { row, session_id, steps } = newSession(database.store);
  await database.store.writeSteps([row(1, { messages: utf8(sameImage("lost")) })], soon());
  await database.execute("delete from stored_values where scope = ?", session_id);
  expect((await steps())[0]).toMatchObject({ messages: null, request: '{"model":"policy"}' });
});

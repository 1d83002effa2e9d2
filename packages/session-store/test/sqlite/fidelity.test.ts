import fc from "fast-check";
import { expect, test } from "vitest";
import { connectTo, newSession, sharedDatabase, soon, utf8 } from "../temporary-database.ts";

const database = sharedDatabase();

test.each([
  '{"id":9007199254740993,"exponent":1.0e+400,"minus":-0}',
  '{"b":1,"a":2,"b":3, "__proto__": {}}',
  '"\\u0000 \\ud800 \\/ \\u00e9 é 漢 👩‍👩‍👧 \u2028"',
  "\u0000 a NUL byte, and more after it",
  "\ufeff \n\t[1 , 2]\r\n",
  "",
  "no JSON at all",
  "'quotes' \"both\" -- and; comments /* */ ?1 $2",
])("text survives as it was received: %j", async (text) => {
  const { row, steps } = newSession(database.store);
  const payload = utf8(text);
  const whole = row(1, { request: payload, response: payload, messages: payload });
  await database.store.writeSteps([whole], soon());
  expect((await steps())[0]).toMatchObject({ request: text, response: text, messages: text });
});

test("a payload that was not captured is null, and an empty one is empty", async () => {
  const { row, steps } = newSession(database.store);
  const bare = row(1, { request: null, response: new Uint8Array(0), messages: null });
  await database.store.writeSteps([bare], soon());
  expect((await steps())[0]).toMatchObject({ request: null, response: "", messages: null });
});

test("bytes that are no UTF-8 survive in the table, as text; reading replaces them", async () => {
  const { row, steps, session_id } = newSession(database.store);
  const broken = Uint8Array.of(0x22, 0x61, 0xff, 0xc3, 0x22);
  await database.store.writeSteps([row(1, { response: broken })], soon());
  const stored = connectTo(database.file)
    .prepare(
      "select typeof(response) type, hex(response) hex from session_steps where session_id=?",
    )
    .get(session_id);
  expect(stored).toEqual({ type: "text", hex: "2261FFC322" });
  expect((await steps())[0]?.response).toBe('"a\ufffd\ufffd"');
});

test("payloads are what their views show of a shared buffer, at the time of the call", async () => {
  const { row, steps } = newSession(database.store);
  const socket = utf8("head{first}middle{second}tail");
  const written = database.store.writeSteps(
    [
      row(1, { response: socket.subarray(4, 11), messages: null }),
      row(2, { response: socket.subarray(17, 25), request: socket.subarray(0, 4) }),
    ],
    soon(),
  );
  socket.fill(0);
  await written;
  const [first, second] = await steps();
  expect([first?.response, first?.messages]).toEqual(["{first}", null]);
  expect([second?.response, second?.request, second?.messages]).toEqual(["{second}", "head", "[]"]);
});

test("any batch reads as it was written", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  const payload = fc.option(text, { nil: null });
  const step = fc.record({
    request: payload,
    response: payload,
    messages: payload,
    env_name: fc.option(text, { nil: null }),
    status_code: fc.integer({ min: 100, max: 599 }),
  });
  const bytes = (written: string | null) => (written === null ? null : utf8(written));
  const property = fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (expected) => {
    const { row, steps } = newSession(database.store);
    const rows = expected.map((columns, index) =>
      row(index + 1, {
        ...columns,
        request: bytes(columns.request),
        response: bytes(columns.response),
        messages: bytes(columns.messages),
      }),
    );
    await database.store.writeSteps(rows, soon());
    const stored = await steps();
    expect(stored).toMatchObject(expected);
    expect(stored.map(({ step_id }) => step_id)).toEqual(rows.map(({ step_id }) => step_id));
  });
  await fc.assert(property, { numRuns: 50, seed: 1 });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { newSession, sharedDatabase, soon, utf8 } from "../temporary-database.ts";

const database = sharedDatabase();

test.each([
  '{"id":9007199254740993,"exponent":1.0e+400,"minus":-0}',
  '{"b":1,"a":2,"b":3, "__proto__": {}}',
  '"\\u0000 \\ud800 \\/ \\u00e9 é 漢 👩‍👩‍👧 \u2028"',
  "\ufeff \n\t[1 , 2]\r\n",
  "",
  "no JSON at all",
  "'quotes' \"both\" -- and; comments /* */ ?1 $2",
])("text is stored exactly as received: %j", async (text) => {
  const { row, steps } = newSession(database.store);
  const payload = utf8(text);
  const whole = row(1, { request: payload, response: payload, messages: payload });
  await database.store.writeSteps([whole], soon());
  expect((await steps())[0]).toMatchObject({ request: text, response: text, messages: text });
});

test("a payload that was not captured is null, and an empty one stays empty", async () => {
  const { row, steps } = newSession(database.store);
  const bare = row(1, { request: null, response: new Uint8Array(0), messages: null });
  await database.store.writeSteps([bare], soon());
  expect((await steps())[0]).toMatchObject({ request: null, response: "", messages: null });
});

test("any batch reads back as written", async () => {
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

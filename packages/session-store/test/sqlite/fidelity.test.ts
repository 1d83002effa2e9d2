import fc from "fast-check";
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

const awkward = [
  '{"id":9007199254740993,"exponent":1.0e+400,"minus":-0}',
  '{"b":1,"a":2,"b":3, "__proto__": {}}',
  '"\\u0000 \\ud800 \\/ \\u00e9 é 漢 👩‍👩‍👧 \u2028"',
  "\u0000 a NUL byte, and more after it",
  " \n\t[1 , 2]\r\n",
  "",
  "no JSON at all",
  "'quotes' \"both\" -- and; comments /* */ ?1 $2",
];

test.each(awkward)("text survives as it was received: %j", async (text) => {
  const store = await openStoreOf(await temporaryFile());
  const payload = utf8(text);
  const row = stepRow(1, { request: payload, response: payload, messages: payload });
  await store.writeSteps([row], soon());
  const [step] = await allSteps(store);
  expect(step).toMatchObject({ request: text, response: text, messages: text });
});

test("a payload that was not captured is null, and an empty one is empty", async () => {
  const store = await openStoreOf(await temporaryFile());
  const row = stepRow(1, { request: null, response: new Uint8Array(0), messages: null });
  await store.writeSteps([row], soon());
  const [step] = await allSteps(store);
  expect(step).toMatchObject({ request: null, response: "", messages: null });
});

test("bytes that are no UTF-8 survive in the table, as text; reading replaces them", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const broken = Uint8Array.of(0x22, 0x61, 0xff, 0xc3, 0x22);
  await store.writeSteps([stepRow(1, { response: broken })], soon());
  const stored = connectTo(file).prepare(
    "select typeof(response) as type, hex(response) as bytes from session_steps",
  );
  expect(stored.get()).toEqual({ type: "text", bytes: "2261FFC322" });
  const [step] = await allSteps(store);
  expect(step?.response).toBe('"a\ufffd\ufffd"');
});

test("payloads are what their views show of a shared buffer, at the time of the call", async () => {
  const store = await openStoreOf(await temporaryFile());
  const socket = utf8("head{first}middle{second}tail");
  const written = store.writeSteps(
    [
      stepRow(1, { response: socket.subarray(4, 11), messages: null }),
      stepRow(2, { response: socket.subarray(17, 25), request: socket.subarray(0, 4) }),
    ],
    soon(),
  );
  socket.fill(0);
  await written;
  const [first, second] = await allSteps(store);
  expect([first?.response, second?.response]).toEqual(["{first}", "{second}"]);
  expect(second?.request).toBe("head");
  expect(second?.messages).toBe("[]");
});

test("any batch reads as it was written", async () => {
  const store = await openStoreOf(await temporaryFile());
  const payload = fc.option(fc.string({ unit: "grapheme", maxLength: 40 }), { nil: null });
  const step = fc.record({
    request: payload,
    response: payload,
    messages: payload,
    env_name: fc.option(fc.string(), { nil: null }),
    status_code: fc.integer({ min: 100, max: 599 }),
  });
  let batches = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      batches += 1;
      const session_id = `session-${batches}`;
      const rows = steps.map(({ request, response, messages, ...columns }, index) =>
        stepRow(index + 1, {
          ...columns,
          session_id,
          request_id: `${session_id}-${index}`,
          request: request === null ? null : utf8(request),
          response: response === null ? null : utf8(response),
          messages: messages === null ? null : utf8(messages),
        }),
      );
      await store.writeSteps(rows, soon());
      const stored = await allSteps(store, session_id);
      expect(stored).toMatchObject(steps);
      expect(stored.map(({ step_id }) => step_id)).toEqual(steps.map((_, index) => index + 1));
    }),
    { numRuns: 50, seed: 1 },
  );
});

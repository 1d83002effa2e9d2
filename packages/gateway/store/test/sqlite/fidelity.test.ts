import { expect, test } from "vitest";
import {
  connectTo,
  newSession,
  openStoreOf,
  soon,
  temporaryFile,
  utf8,
} from "../temporary-database.ts";

test("a NUL byte is stored like any other text", async () => {
  const store = await openStoreOf(await temporaryFile());
  const { row, steps } = newSession(store);
  const text = "\u0000 a NUL byte, and more after it";
  await store.writeSteps([row(1, { response: utf8(text) })], soon());
  expect((await steps())[0]).toMatchObject({ response: text });
});

test("bytes that are not UTF-8 survive in the table, as text; reading replaces them", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row, steps, session_id } = newSession(store);
  const broken = Uint8Array.of(0x22, 0x61, 0xff, 0xc3, 0x22);
  await store.writeSteps([row(1, { response: broken })], soon());
  const stored = connectTo(file)
    .prepare(
      "select typeof(response) type, hex(response) hex from session_steps where session_id=?",
    )
    .get(session_id);
  expect(stored).toEqual({ type: "text", hex: "2261FFC322" });
  expect((await steps())[0]?.response).toBe('"a\ufffd\ufffd"');
});

test("payloads are what their views of a shared buffer show at the time of the call", async () => {
  const store = await openStoreOf(await temporaryFile());
  const { row, steps } = newSession(store);
  const socket = utf8("head{first}middle{second}tail");
  const written = store.writeSteps(
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

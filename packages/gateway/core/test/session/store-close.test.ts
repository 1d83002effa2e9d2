import { expect, test } from "vitest";
import { storeClose } from "../../src/session/session-close.ts";

/** Storage that is away for this many attempts. */
function storageAway(attempts: number) {
  const asked: string[] = [];
  const closeSession = async (session_id: string): Promise<void> => {
    asked.push(session_id);
    if (asked.length <= attempts) throw new Error("storage is away");
  };
  return { asked, store: { closeSession } };
}

test("a close is stored once storage is back", async () => {
  const { asked, store } = storageAway(1);
  await storeClose(store, "s", new AbortController().signal);
  expect(asked).toEqual(["s", "s"]);
});

test("a gateway that ends no longer waits to store a close", async () => {
  const { asked, store } = storageAway(Number.POSITIVE_INFINITY);
  const ending = new AbortController();
  const stored = storeClose(store, "s", ending.signal);
  expect(asked).toEqual(["s"]);
  ending.abort();
  await stored;
  expect(asked).toEqual(["s"]);
});

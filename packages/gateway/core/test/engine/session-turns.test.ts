import { expect, test } from "vitest";
import { SessionTurns } from "../../src/engine/session-turns.ts";
import { type Continuity, promptIds } from "../../src/prompts/index.ts";

const options = { thinking: "kept" } as const;

/** @param ids how many the turn has; each takes eleven bytes */
function add(turns: Continuity, ids: number): void {
  const keys = { messages: [], beginnings: [""] };
  const origin = { made: "rendered", reason: null } as const;
  const prompt = {
    ids: promptIds(null, new Int32Array(ids)),
    origin,
    keys,
    tools: "",
    agent: null,
  };
  const answer = { role: "assistant", content: "Done." } as const;
  turns.add("request", prompt, answer, new Int32Array(), null);
}

test("the least recently used sessions go when all together are too large", async () => {
  const sessions = new SessionTurns(40_000);
  const loaded: string[] = [];
  const use = (session_id: string, ids: number): Promise<Continuity> =>
    sessions.of(session_id, "policy", options, async (turns) => {
      loaded.push(session_id);
      add(turns, ids);
    });
  await use("one", 1_000);
  await use("two", 1_000);
  await use("one", 1_000);
  await use("three", 1_000);
  expect(loaded).toEqual(["one", "two", "three"]);
  // What a session gains while it is used counts when it is used again.
  add(await use("one", 0), 1_500);
  await use("one", 0);
  expect(sessions.find("two", "policy")).toBeNull();
  expect(sessions.find("three", "policy")).not.toBeNull();
  // One that is forgotten leaves its room to others.
  sessions.forget("one");
  await use("two", 1_000);
  await use("four", 1_000);
  expect(["two", "three", "four"].map((it) => sessions.find(it, "policy"))).not.toContain(null);
});

test("the session that is used stays, however large it is, and one that cannot be read does not count", async () => {
  const sessions = new SessionTurns(10_000);
  const fail = (turns: Continuity): Promise<void> => {
    add(turns, 10_000);
    return Promise.reject(new Error("no storage"));
  };
  await sessions.of("small", "policy", options, async (turns) => add(turns, 10));
  await expect(sessions.of("broken", "policy", options, fail)).rejects.toThrow("no storage");
  expect(sessions.find("broken", "policy")).toBeNull();
  expect(sessions.find("small", "policy")).not.toBeNull();
  await sessions.of("large", "policy", options, async (turns) => add(turns, 10_000));
  expect(sessions.find("large", "policy")).not.toBeNull();
  expect(sessions.find("small", "policy")).toBeNull();
});

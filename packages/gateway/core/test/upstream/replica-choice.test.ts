import { describe, expect, it } from "vitest";
import { KeyHolds } from "../../src/upstream/key-holds.ts";
import { Replica } from "../../src/upstream/replica.ts";
import { ReplicaChoice } from "../../src/upstream/replica-choice.ts";

const timeouts = {
  connect_s: 1,
  first_byte_s: 1,
  idle_s: 1,
  total_s: 1,
  caller_headers_s: 30,
  caller_body_idle_s: 1,
  caller_body_total_s: 600,
  caller_stall_s: 1,
  caller_keep_alive_s: 1,
};

function createReplica(baseUrl: string, now: () => number = () => 0): Replica {
  const random = () => 0;
  const own = { credential: null, keyHolds: new KeyHolds() };
  return new Replica({ ...own, model: "m", baseUrl, timeouts, now, random });
}

function choiceOf(...names: string[]): (sessionId: string) => string {
  const [first, ...others] = names.map((name) => createReplica(`http://${name}:8000/v1`));
  if (first === undefined) throw new Error("no replica");
  const choice = new ReplicaChoice([first, ...others]);
  return (sessionId) => choice.choose(sessionId, new Set()).name.slice(7, -8);
}

const sessions = Array.from({ length: 4000 }, (_, index) => `job-7-simulation-${index}`);

describe("the replica of a session", () => {
  it("is always the same, whatever the order of the replicas", () => {
    const before = choiceOf("a", "b", "c");
    const after = choiceOf("c", "a", "b");
    for (const session of sessions) expect(after(session)).toBe(before(session));
  });

  it("is fixed: another version of the gateway must not move a session from its warm cache", () => {
    const choose = choiceOf("a", "b", "c");
    expect(sessions.slice(0, 8).map(choose)).toMatchInlineSnapshot(`
      [
        "c",
        "b",
        "c",
        "b",
        "a",
        "a",
        "a",
        "c",
      ]
    `);
  });

  it("is spread evenly over sessions", () => {
    const choose = choiceOf("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4");
    const counts = Object.values(Object.groupBy(sessions, choose)).map(
      (group) => group?.length ?? 0,
    );
    expect(counts).toHaveLength(4);
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  it("changes only for a replica's own sessions when it is removed", () => {
    const before = choiceOf("a", "b", "c", "d");
    const after = choiceOf("a", "b", "d");
    const moved = sessions.filter((session) => after(session) !== before(session));
    expect(moved.length).toBeGreaterThan(800);
    expect(new Set(moved.map(before))).toEqual(new Set(["c"]));
    expect(new Set(moved.map(after))).toEqual(new Set(["a", "b", "d"]));
  });
});

describe("the choice", () => {
  const a = createReplica("http://a/");
  const b = createReplica("http://b/");
  const c = createReplica("http://c/");
  const choice = new ReplicaChoice([a, b, c]);

  it("without a session falls on the replica with the fewest requests", () => {
    [a.inFlight, b.inFlight, c.inFlight] = [2, 1, 3];
    expect(choice.choose(null, new Set())).toBe(b);
    expect(choice.choose(null, new Set([b]))).toBe(a);
  });

  it("without a session takes turns between equals", () => {
    [a.inFlight, b.inFlight, c.inFlight] = [0, 0, 0];
    const chosen = [1, 2, 3].map(() => choice.choose(null, new Set()));
    expect(new Set(chosen)).toEqual(new Set([a, b, c]));
  });

  it("follows the session's own order, and starts over when all were tried", () => {
    const first = choice.choose("s", new Set());
    const second = choice.choose("s", new Set([first]));
    const third = choice.choose("s", new Set([first, second]));
    expect(new Set([first, second, third])).toEqual(new Set([a, b, c]));
    expect(choice.choose("s", new Set([a, b, c]))).toBe(first);
  });
});

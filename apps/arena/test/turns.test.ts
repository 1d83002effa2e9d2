import { expect, test } from "vitest";
import { Turns } from "../src/turns/turns.ts";

const traders = ["ada", "bob", "cem"];

function turnsOf(options: Partial<ConstructorParameters<typeof Turns>[0]> = {}) {
  const told: string[] = [];
  const turns = new Turns({
    ...{ traders, rounds: 2, turnTimeoutMs: 600_000 },
    onRoundOver: (round) => told.push(`round ${round} over`),
    onLate: (trader) => told.push(`${trader} late`),
    ...options,
  });
  turns.start();
  const play = async (trader: string): Promise<void> => {
    for (let turn = await turns.next(trader); turn !== null; turn = await turns.next(trader)) {
      expect(traders.filter((name) => turns.has(name))).toEqual([trader]);
      told.push(`${trader} ${turn.round}`);
    }
  };
  return { turns, told, play };
}

test("turns have a fixed order, whichever trader asks first", async () => {
  const { turns, told, play } = turnsOf();
  await Promise.all(["cem", "ada", "bob"].map(play));
  await turns.over;
  expect(told).toEqual([
    ...["ada 1", "bob 1", "cem 1", "round 1 over"],
    ...["ada 2", "bob 2", "cem 2", "round 2 over"],
  ]);
  expect(await turns.next("ada")).toBeNull();
  // Each of three may take ten minutes to take its turn, and ten to end it.
  expect(turns.maxWaitMs).toBe(3_600_000);
});

test("a trader that leaves, in its turn or another's, is skipped", async () => {
  const { turns, told, play } = turnsOf();
  expect(await turns.next("ada")).toEqual({ round: 1, rounds: 2 });
  turns.leave("cem");
  turns.leave("ada");
  await play("bob");
  expect(told).toEqual(["bob 1", "round 1 over", "bob 2", "round 2 over"]);
  expect(await turns.next("cem")).toBeNull();
});

test("a trader that does not take or end its turn gets no more turns", async () => {
  const { turns, told, play } = turnsOf({ turnTimeoutMs: 20 });
  const bob = turns.next("bob");
  expect(await bob).toEqual({ round: 1, rounds: 2 });
  await turns.over;
  expect(told.filter((line) => line.includes("late"))).toEqual([
    "ada late",
    "bob late",
    "cem late",
  ]);
  await play("ada");
});

test("an abort ends the wait, and a trader can wait only once at a time", async () => {
  const { turns } = turnsOf();
  const leaving = new AbortController();
  const bob = turns.next("bob", leaving.signal);
  await expect(turns.next("bob")).rejects.toThrow("already");
  leaving.abort(new Error("gone"));
  await expect(bob).rejects.toThrow("gone");
  const again = turns.next("bob");
  turns.end();
  expect(await again).toBeNull();
  await turns.over;
});

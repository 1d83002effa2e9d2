import { waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { Lookout, type Watched } from "../../src/waiting/lookout.ts";

class Sight implements Watched {
  place: Watched["place"] = null;
  readonly at: number;
  seenAt: number | null = null;
  readonly #lookout: Lookout;

  constructor(lookout: Lookout, afterMs: number) {
    this.#lookout = lookout;
    this.at = performance.now() + afterMs;
    lookout.watch(this, this.at);
  }

  look(now: number): void {
    if (now < this.at) {
      this.#lookout.watch(this, this.at);
      return;
    }
    this.seenAt = now;
    this.#lookout.forget(this);
  }
}

test("each is called at its time, even if earlier or later ones are added", async () => {
  const lookout = new Lookout();
  const sights = [30, 60, 5, 30].map((afterMs) => new Sight(lookout, afterMs));
  await waitFor(() => sights.every(({ seenAt }) => seenAt !== null), "all to be looked at");
  for (const { at, seenAt } of sights) expect(seenAt).toBeGreaterThanOrEqual(at);
});

test("a forgotten one is not called, and may be watched again", async () => {
  const lookout = new Lookout();
  const [forgotten, again, last] = [1, 1, 20].map((afterMs) => new Sight(lookout, afterMs));
  if (forgotten === undefined || again === undefined || last === undefined) throw new Error();
  lookout.forget(forgotten);
  lookout.forget(again);
  lookout.forget(again);
  lookout.watch(again, again.at);
  await waitFor(() => last.seenAt, "the last to be looked at");
  expect(forgotten.seenAt).toBeNull();
  expect(again.seenAt).not.toBeNull();
});

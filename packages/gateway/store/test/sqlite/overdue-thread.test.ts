import { monotonicMs, StoreUnavailableError } from "@proj/database";
import { expect, test } from "vitest";
import { connectTo, newSession, openStoreOf, soon, temporaryFile } from "../temporary-database.ts";

/** An insert that keeps the writer's thread busy for some seconds, and then is too late. */
const slowInsert = `
  create trigger slow before insert on stored_steps when new.model = 'slow' begin
    select count(*) from (
      with recursive n(i) as (select 1 union all select i + 1 from n limit 40000000) select i from n
    );
  end`;

test("callers learn of a late thread, which stores nothing late and recovers", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row, steps } = newSession(store);
  connectTo(file).exec(slowInsert);
  const slow = store.writeSteps([{ ...row(1), model: "slow" }], { deadline: monotonicMs() + 200 });
  const behind = store.writeSteps([row(2)], { deadline: monotonicMs() + 100 });
  const unlimited = store.writeSteps([row(3)], { deadline: Number.POSITIVE_INFINITY });
  await expect(behind).rejects.toThrow(StoreUnavailableError);
  await expect(behind).rejects.toThrow(/did not answer in time/);
  await expect(slow).rejects.toThrow(/did not answer in time/);
  // The next call does not have to wait for its own deadline.
  await expect(store.writeSteps([row(4)], soon())).rejects.toThrow(/time is up/);
  await unlimited;
  await store.writeSteps([row(5)], soon());
  expect((await steps()).map(({ step_id }) => step_id)).toEqual([3, 5]);
  // The insert counts to its end, which takes a busy machine many times as long.
});

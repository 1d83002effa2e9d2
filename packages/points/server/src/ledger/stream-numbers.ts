import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { PointsRunner, PointsSource } from "../storage/source.ts";

const find = query(({ db }: PointsSource) =>
  db.selectFrom("streams").select("id").where("key", "=", parameter<string>("key")),
);
const findLast = query(({ db }: PointsSource) =>
  db.selectFrom("streams").select((build) => build.fn.max("id").as("id")),
);
const add = query(({ db }: PointsSource) =>
  db.insertInto("streams").values({ id: parameter<number>("id"), key: parameter<string>("key") }),
);

/** Gives each stream of events a number, in transactions that have the ledger to themselves. */
export class StreamNumbers {
  /** Only committed streams. */
  readonly #known = new Map<string, number>();

  /** @param added gets the numbers that the transaction found or gave */
  async number(runner: PointsRunner, key: string, added: Map<string, number>): Promise<number> {
    const known = this.#known.get(key) ?? added.get(key);
    if (known !== undefined) return known;
    const [found] = (await runner.run(find, { key })).rows;
    const id = found?.id ?? (await addNext(runner, key));
    added.set(key, id);
    return id;
  }

  /** Keeps the numbers of a transaction that was committed. */
  keep(added: ReadonlyMap<string, number>): void {
    for (const [key, id] of added) this.#known.set(key, id);
  }
}

async function addNext(runner: PointsRunner, key: string): Promise<number> {
  const [last] = (await runner.run(findLast, {})).rows;
  const id = (last?.id ?? 0) + 1;
  await runner.run(add, { id, key });
  return id;
}

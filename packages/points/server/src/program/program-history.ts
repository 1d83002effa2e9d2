import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { PointsDatabase, PointsSource } from "../storage/source.ts";
import type { Program } from "./program.ts";
import { type DatedRules, ruleSetOf } from "./rule-set.ts";

/** The new rules cannot follow the earlier ones. */
export class ProgramChangeError extends Error {
  override readonly name = "ProgramChangeError";
}

const readRules = query(({ db }: PointsSource) =>
  db.selectFrom("programs").select(["valid_from", "rules"]).orderBy("valid_from"),
);
const clearRules = query(({ db }: PointsSource) => db.deleteFrom("programs"));
const insertRules = query(({ db }: PointsSource) =>
  db.insertInto("programs").values({
    valid_from: parameter<number>("valid_from"),
    rules: parameter<string>("rules"),
  }),
);

/** The rules that a program has had, each with the time of the first snapshot that used them. */
export class ProgramHistory {
  readonly #database: PointsDatabase;

  constructor(database: PointsDatabase) {
    this.#database = database;
  }

  async read(): Promise<readonly DatedRules[]> {
    const { rows } = await this.#database.run(readRules);
    return rows.map(({ valid_from, rules }) => ({ valid_from, rules: JSON.parse(rules) }));
  }

  /**
   * Adds the program's current rules: what was earned before `time` stays as it was.
   * @throws ProgramChangeError
   */
  async with(program: Program, time: number): Promise<readonly DatedRules[]> {
    const rules = ruleSetOf(program);
    const known = await this.read();
    const last = known.at(-1)?.rules;
    if (last === undefined) return [{ valid_from: 0, rules }];
    if (JSON.stringify(last) === JSON.stringify(rules)) return known;
    const { pointsDecimal } = last;
    if (pointsDecimal !== rules.pointsDecimal)
      throw new ProgramChangeError(
        `pointsDecimal was ${pointsDecimal} and is ${rules.pointsDecimal}: earlier points cannot stay as they are; recompute all of them (points snapshot --recompute)`,
      );
    // An entry may be as new: two calls in a second, or a clock that was set back.
    return [...known.filter(({ valid_from }) => valid_from < time), { valid_from: time, rules }];
  }

  /** Replaces the stored history. */
  async put(history: readonly DatedRules[]): Promise<void> {
    const { rows } = await this.#database.run(readRules);
    const texts = history.map(({ valid_from, rules }) => ({
      ...{ valid_from, rules: JSON.stringify(rules) },
    }));
    const isKnown =
      rows.length === texts.length &&
      texts.every(
        ({ valid_from, rules }, index) =>
          rows[index]?.valid_from === valid_from && rows[index]?.rules === rules,
      );
    if (isKnown) return;
    await this.#database.transaction(async (runner) => {
      await runner.run(clearRules);
      for (const row of texts) await runner.run(insertRules, row);
    });
  }
}

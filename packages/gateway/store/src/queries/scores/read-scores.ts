import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { ScoreKey, ScorePage, ScoreQuery } from "../../score.ts";
import { pageLimit } from "../page.ts";
import { readEnvironment } from "../read-environment.ts";

/** Begins at an attempt in the order of the index by attempt, so that a page costs what it has. */
const page = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_environments as own")
    .innerJoin("scores", "scores.session_id", "own.session_id")
    .select([
      "scores.session_id",
      "name",
      "author",
      "repetition",
      "value",
      "label",
      "comment",
      "judged_in",
      "scores.created_at",
    ])
    .where("own.job_id", "=", parameter<string>("job_id"))
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple("own.simulation_id", "own.attempt"),
        ">=",
        tuple(parameter<string>("simulation_id"), parameter<number>("attempt")),
      ),
    )
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple("own.simulation_id", "own.attempt", "name", "author", "repetition"),
        ">",
        tuple(
          parameter<string>("simulation_id"),
          parameter<number>("attempt"),
          parameter<string>("name"),
          parameter<string>("author"),
          parameter<number>("repetition"),
        ),
      ),
    )
    .orderBy("own.simulation_id")
    .orderBy("own.attempt")
    .orderBy("name")
    .orderBy("author")
    .orderBy("repetition")
    .limit(parameter<number>("limit")),
);

const first = { simulation_id: "", attempt: 0, name: "", author: "", repetition: 0 };

/** A page of what was said about the sessions of a job, in the order of (simulation_id, attempt). */
export async function readScores(
  runner: StoreRunner,
  { job_id, after, limit }: ScoreQuery,
): Promise<ScorePage> {
  const from = after === undefined ? first : await placeOf(runner, job_id, after);
  if (from === null) return { scores: [], next_after: null };
  const size = pageLimit(limit);
  const { rows } = await runner.run(page, { job_id, ...from, limit: size + 1 });
  const scores = rows.slice(0, size);
  const last = scores.at(-1);
  if (last === undefined || rows.length <= size) return { scores, next_after: null };
  const { session_id, name, author, repetition } = last;
  return { scores, next_after: { session_id, name, author, repetition } };
}

/** Null: the job has no such session. */
async function placeOf(runner: StoreRunner, job_id: string, { session_id, ...score }: ScoreKey) {
  const own = await readEnvironment(runner, session_id);
  if (own === null || own.job_id !== job_id) return null;
  return { simulation_id: own.simulation_id, attempt: own.attempt, ...score };
}

import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { ScorePage, ScoreQuery } from "../../score.ts";
import { pageLimit } from "../page.ts";

const page = query(({ db }: StoreSource) =>
  db
    .selectFrom("scores")
    .innerJoin("job_environments as own", "own.session_id", "scores.session_id")
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
        refTuple("scores.session_id", "name", "author", "repetition"),
        ">",
        tuple(
          parameter<string>("session_id"),
          parameter<string>("name"),
          parameter<string>("author"),
          parameter<number>("repetition"),
        ),
      ),
    )
    .orderBy("scores.session_id")
    .orderBy("name")
    .orderBy("author")
    .orderBy("repetition")
    .limit(parameter<number>("limit")),
);

/** A page of what was said about the sessions of a job. */
export async function readScores(
  runner: StoreRunner,
  { job_id, after, limit }: ScoreQuery,
): Promise<ScorePage> {
  const from = after ?? { session_id: "", name: "", author: "", repetition: 0 };
  const size = pageLimit(limit);
  const { rows } = await runner.run(page, { job_id, ...from, limit: size + 1 });
  const scores = rows.slice(0, size);
  const last = scores.at(-1);
  if (last === undefined || rows.length <= size) return { scores, next_after: null };
  const { session_id, name, author, repetition } = last;
  return { scores, next_after: { session_id, name, author, repetition } };
}

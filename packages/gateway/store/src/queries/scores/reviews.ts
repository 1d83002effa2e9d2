import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreRunner, StoreSource } from "../../dialect.ts";
import type { JobReview } from "../../review.ts";
import { readTime } from "../read-time.ts";

const upsert = query(({ db }: StoreSource) =>
  db
    .insertInto("job_reviews")
    .values({
      job_id: parameter<string>("job_id"),
      rubric: parameter<string>("rubric"),
      reviewers: parameter<number>("reviewers"),
      created_at: parameter<string>("now"),
    })
    .onConflict((conflict) =>
      conflict.column("job_id").doUpdateSet(({ ref }) => ({
        rubric: ref("excluded.rubric"),
        reviewers: ref("excluded.reviewers"),
        created_at: ref("excluded.created_at"),
      })),
    ),
);
const find = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_reviews")
    .select(["rubric", "reviewers"])
    .where("job_id", "=", parameter<string>("job_id")),
);

export function writeReview(database: StoreQueries, review: JobReview): Promise<null> {
  return database.transaction(async (runner) => {
    const rubric = JSON.stringify(review.rubric);
    await runner.run(upsert, { ...review, rubric, now: await readTime(runner) });
    return null;
  });
}

/** Null: people are asked nothing about the job. */
export async function readReview(runner: StoreRunner, job_id: string): Promise<JobReview | null> {
  const [found] = (await runner.run(find, { job_id })).rows;
  return found === undefined ? null : { job_id, ...found, rubric: JSON.parse(found.rubric) };
}

import { objectOf } from "@proj/model-apis/json";
import { hashText } from "../conversation/hash-text.ts";
import { transcriptOf } from "../conversation/transcript.ts";
import { jobEnvironments } from "../job-environments.ts";
import { readJobScores } from "../job-scores.ts";
import type { JobStore } from "../job-store.ts";
import { BadJudgementError, type Judgement, judgementsIn } from "../judgements.ts";
import type { JobReview, Rubric } from "../review.ts";
import type { Score } from "../score.ts";
import { QueryError } from "./query.ts";

/** What a person is asked next: the answer to `GET /v1/jobs/{job_id}/review?person=` and to the POST of scores. */
export interface ReviewBody {
  readonly job_id: string;
  readonly rubric: Rubric;
  /** Null: nothing is left for this person. */
  readonly rollout: { readonly session_id: string; readonly transcript: readonly string[] } | null;
  /** Rollouts that this person has scored, and that are left for them. */
  readonly done: number;
  readonly left: number;
  /** All that was said about the job, once nothing is left: until then a person sees no other's scores. */
  readonly scores: readonly Score[] | null;
}

export type ReviewedStore = Pick<
  JobStore,
  "readEnvironment" | "readEnvironments" | "readReview" | "readScores" | "readSteps" | "writeScores"
>;

/** What is said about a job without a review. */
export const noReview = (job_id: string): string =>
  `Job '${job_id}' has no rubric for people yet. Give it one: launcher review '${job_id}' --rubric FILE --console`;

/** How long a rollout is kept for a person who has it before them, in milliseconds. */
const leaseMs = 30 * 60_000;
const maxLeases = 10_000;
const person = /^[\w.-]{1,64}$/;

/**
 * Gives the finished rollouts of jobs to people, each to as many as are wanted and to nobody twice, in an order of each
 * person's own. People see neither rewards nor other people's scores.
 */
export class ReviewQueue {
  readonly #open: () => Promise<ReviewedStore>;
  /** Rollouts that lie before people, by rollout and person. */
  readonly #leases = new Map<string, { session_id: string; name: string; until: number }>();

  /** @param open returns the storage; called for each request */
  constructor(open: () => Promise<ReviewedStore>) {
    this.#open = open;
  }

  /**
   * Null: people are asked nothing about the job.
   * @throws QueryError the name is not one; StoreUnavailableError
   */
  async next(job_id: string, name: string): Promise<ReviewBody | null> {
    const author = authorOf(name);
    const store = await this.#open();
    const review = await store.readReview(job_id);
    return review === null ? null : this.#next(store, review, name, author);
  }

  /**
   * Stores what a person says: `{person, session_id, scores: {CRITERION: {value, comment}}}`.
   * @throws QueryError it is not that, or the rollout is not one of the job; StoreUnavailableError
   */
  async submit(job_id: string, body: unknown): Promise<ReviewBody | null> {
    const { person: name, session_id, scores } = objectOf(body);
    if (typeof name !== "string" || typeof session_id !== "string")
      throw new QueryError("person and session_id must be texts");
    const author = authorOf(name);
    const store = await this.#open();
    const review = await store.readReview(job_id);
    if (review === null) return null;
    const judgements = judged(scores, review.rubric);
    const environment = await store.readEnvironment(session_id);
    if (environment?.job_id !== job_id || environment.status !== "finished")
      throw new QueryError("the session is not a finished rollout of this job");
    await store.writeScores(
      judgements.map((judgement) => ({
        ...{ session_id, author, repetition: 1, judged_in: null, ...judgement },
      })),
    );
    this.#leases.delete(keyOf(session_id, name));
    return this.#next(store, review, name, author);
  }

  async #next(
    store: ReviewedStore,
    { job_id, rubric, reviewers }: JobReview,
    name: string,
    author: string,
  ): Promise<ReviewBody> {
    const scores: Score[] = [];
    for await (const score of readJobScores(store, job_id)) scores.push(score);
    const byRollout = Map.groupBy(scores, ({ session_id }) => session_id);
    const authorsOf = (session_id: string): ReadonlySet<string> =>
      new Set(
        (byRollout.get(session_id) ?? [])
          .map((score) => score.author)
          .filter((each) => each.startsWith("person:")),
      );
    this.#dropLate();
    const rollouts: string[] = [];
    for await (const { session_id } of jobEnvironments(store, job_id, "finished"))
      rollouts.push(session_id);
    const mine = rollouts.filter((session_id) => authorsOf(session_id).has(author));
    const open = rollouts.filter((session_id) => {
      const authors = authorsOf(session_id);
      const others = new Set([...authors, ...this.#heldBy(session_id)]);
      others.delete(author);
      return !authors.has(author) && others.size < reviewers;
    });
    const held = open.find((session_id) => this.#leases.has(keyOf(session_id, name)));
    const session_id = held ?? firstFor(name, open);
    if (session_id !== undefined) this.#lease(session_id, name);
    return {
      ...{ job_id, rubric, done: mine.length, left: open.length },
      rollout:
        session_id === undefined
          ? null
          : { session_id, transcript: await transcriptOf(store, session_id) },
      scores: session_id === undefined ? scores : null,
    };
  }

  #lease(session_id: string, name: string): void {
    const key = keyOf(session_id, name);
    this.#leases.delete(key);
    this.#leases.set(key, { session_id, name, until: performance.now() + leaseMs });
    const [oldest] = this.#leases.keys();
    if (this.#leases.size > maxLeases && oldest !== undefined) this.#leases.delete(oldest);
  }

  #heldBy(session_id: string): string[] {
    return [...this.#leases.values()]
      .filter((lease) => lease.session_id === session_id)
      .map(({ name }) => `person:${name}`);
  }

  #dropLate(): void {
    const now = performance.now();
    for (const [key, { until }] of this.#leases) if (until < now) this.#leases.delete(key);
  }
}

const keyOf = (session_id: string, name: string): string => JSON.stringify([session_id, name]);

function authorOf(name: string): string {
  if (person.test(name)) return `person:${name}`;
  throw new QueryError("a name has 1 to 64 letters, digits, dots or hyphens");
}

function judged(scores: unknown, rubric: Rubric): readonly Judgement[] {
  try {
    return judgementsIn(scores, rubric);
  } catch (error) {
    throw error instanceof BadJudgementError ? new QueryError(error.message) : error;
  }
}

/** Each person has an order of their own, whatever others have scored meanwhile. */
const firstFor = (name: string, session_ids: readonly string[]): string | undefined =>
  session_ids.toSorted(
    (one, other) => hashText(`${name} ${one}`) - hashText(`${name} ${other}`),
  )[0];

import { monotonicMs } from "@proj/database";
import type { JobStore, Score } from "@proj/session-store";
import { isJsonObject } from "../answer/answer.ts";
import { readJobScores } from "../reporting/read-scores.ts";
import { type Agreement, agreementsOf, seededRandom, shuffled } from "../statistics/index.ts";
import { jobEnvironments } from "../trajectories/job-environments.ts";
import { BadJudgementError, judgementsIn } from "./judge-answer.ts";
import { transcriptOf } from "./judge-prompt.ts";
import type { Rubric } from "./rubric.ts";

export interface ReviewQueueOptions {
  readonly store: JobStore;
  readonly job_id: string;
  readonly rubric: Rubric;
  /** How many people score each rollout. @default 1 */
  readonly reviewers?: number | undefined;
}

/** What a person is asked next. */
export interface ReviewBody {
  readonly job_id: string;
  readonly rubric: Rubric;
  /** Null: nothing is left for this person. */
  readonly rollout: { readonly session_id: string; readonly transcript: readonly string[] } | null;
  /** Rollouts that this person has scored, and that are left for them. */
  readonly done: number;
  readonly left: number;
  /** Between people and others, once nothing is left: until then a person sees no other's scores. */
  readonly agreements: readonly Agreement[] | null;
}

/** How long a rollout is kept for a person who has it before them, in milliseconds. */
const leaseMs = 30 * 60_000;
const maxLeases = 10_000;
const person = /^[\w.-]{1,64}$/;

/**
 * Gives the finished rollouts of a job to people, each to as many as are wanted and to nobody twice, in an order of each
 * person's own. People see neither rewards nor other people's scores.
 */
export class ReviewQueue {
  readonly #options: ReviewQueueOptions;
  /** Rollouts that lie before people, by rollout and person. */
  readonly #leases = new Map<string, { session_id: string; name: string; until: number }>();

  constructor(options: ReviewQueueOptions) {
    this.#options = options;
  }

  /** @throws BadJudgementError the name is not one; StoreUnavailableError */
  async next(name: string): Promise<ReviewBody> {
    const { store, job_id, rubric, reviewers = 1 } = this.#options;
    const author = authorOf(name);
    const scores = await this.#scores();
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
    const order = shuffled(open, seededRandom(hashOf(`${job_id} ${name}`)));
    const session_id = held ?? order[0];
    if (session_id !== undefined) this.#lease(session_id, name);
    return {
      ...{ job_id, rubric, done: mine.length, left: open.length },
      rollout:
        session_id === undefined
          ? null
          : { session_id, transcript: await transcriptOf(store, session_id) },
      agreements: session_id === undefined ? agreementsOf(scores) : null,
    };
  }

  /**
   * Stores what a person says: `{person, session_id, scores: {CRITERION: {value, comment}}}`.
   * @throws BadJudgementError it is not that, or the rollout is not one of the job; StoreUnavailableError
   */
  async submit(body: unknown): Promise<ReviewBody> {
    const { store, job_id, rubric } = this.#options;
    const { person: name, session_id, scores } = isJsonObject(body) ? body : {};
    if (typeof name !== "string" || typeof session_id !== "string")
      throw new BadJudgementError("person and session_id must be texts");
    const author = authorOf(name);
    const judgements = judgementsIn(scores, rubric);
    const environment = await store.readEnvironment(session_id);
    if (environment?.job_id !== job_id || environment.status !== "finished")
      throw new BadJudgementError("the session is not a finished rollout of this job");
    await store.writeScores(
      judgements.map((judgement) => ({
        ...{ session_id, author, repetition: 1, judged_in: null, ...judgement },
      })),
    );
    this.#leases.delete(keyOf(session_id, name));
    return this.next(name);
  }

  async #scores(): Promise<readonly Score[]> {
    const scores: Score[] = [];
    for await (const score of readJobScores(this.#options.store, this.#options.job_id))
      scores.push(score);
    return scores;
  }

  #lease(session_id: string, name: string): void {
    const key = keyOf(session_id, name);
    this.#leases.delete(key);
    this.#leases.set(key, { session_id, name, until: monotonicMs() + leaseMs });
    const [oldest] = this.#leases.keys();
    if (this.#leases.size > maxLeases && oldest !== undefined) this.#leases.delete(oldest);
  }

  #heldBy(session_id: string): string[] {
    return [...this.#leases.values()]
      .filter((lease) => lease.session_id === session_id)
      .map(({ name }) => `person:${name}`);
  }

  #dropLate(): void {
    const now = monotonicMs();
    for (const [key, { until }] of this.#leases) if (until < now) this.#leases.delete(key);
  }
}

const keyOf = (session_id: string, name: string): string => JSON.stringify([session_id, name]);

function authorOf(name: string): string {
  if (person.test(name)) return `person:${name}`;
  throw new BadJudgementError("a name has 1 to 64 letters, digits, dots or hyphens");
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x0100_0193);
  return hash >>> 0;
}

/** What a judge or a person is asked about a rollout. */
export interface Rubric {
  /** Of the judge: its scores are by `judge:NAME`. */
  readonly name: string;
  readonly instructions: string;
  readonly criteria: readonly Criterion[];
}

/** One named score. */
export interface Criterion {
  readonly name: string;
  readonly about: string;
  /** The numbers, or the labels, that may be given. */
  readonly values: readonly number[] | readonly string[];
}

/** What people are asked about the finished rollouts of a job. */
export interface JobReview {
  readonly job_id: string;
  readonly rubric: Rubric;
  /** How many people score each rollout. */
  readonly reviewers: number;
}

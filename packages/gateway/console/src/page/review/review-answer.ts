/** The answer to `GET /v1/review?person=` and to the POST of scores. */
export interface ReviewAnswer {
  readonly job_id: string;
  readonly rubric: {
    readonly name: string;
    readonly instructions: string;
    readonly criteria: readonly AskedCriterion[];
  };
  readonly rollout: { readonly session_id: string; readonly transcript: readonly string[] } | null;
  readonly done: number;
  readonly left: number;
  readonly agreements: readonly ShownAgreement[] | null;
}

export interface AskedCriterion {
  readonly name: string;
  readonly about: string;
  readonly values: readonly (number | string)[];
}

export interface ShownAgreement {
  readonly name: string;
  readonly authors: readonly [string, string];
  readonly sessions: number;
  readonly kappa: number | null;
  readonly alpha: number | null;
}

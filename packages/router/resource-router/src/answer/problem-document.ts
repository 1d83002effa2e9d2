/** RFC 9457, section 3.1; further members are extensions. */
export interface ProblemDocument {
  /** @default "about:blank", which says no more than the status */
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly [extension: string]: unknown;
}

export const problemType = "application/problem+json";

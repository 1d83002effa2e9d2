/** An entry in the answer of `/api/content-program/<address>`; times are Unix seconds. */
export interface ContentProgramEntry {
  readonly startTimestamp: number;
  readonly endTimestamp: number;
  readonly points: number;
}

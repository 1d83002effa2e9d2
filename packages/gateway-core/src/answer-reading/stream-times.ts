/** The times by which a stream's reader goes, in milliseconds. */
export interface StreamTimes {
  /** Silence of the upstream after which a comment goes to the caller. */
  readonly keepAliveMs: number;
  /** How long an upstream may stay open behind the terminal event. */
  readonly lingerMs: number;
  /** How long usage may follow after the caller has left with a complete answer. */
  readonly farewellMs: number;
}

/** Many networks cut a stream that is silent for 30 to 60 s. */
export const streamTimes: StreamTimes = {
  keepAliveMs: 15_000,
  lingerMs: 2_000,
  farewellMs: 1_000,
};

/** Time limits of a stream's reader, in milliseconds. */
export interface StreamTimes {
  /** The upstream's silence after which the caller gets a comment. */
  readonly keepAliveMs: number;
  /** How long an upstream's connection may stay open after the terminal event. */
  readonly lingerMs: number;
  /** How long usage may still arrive after the caller has left with a complete answer. */
  readonly farewellMs: number;
}

/** Many networks cut a stream that is silent for 30 to 60 s. */
export const streamTimes: StreamTimes = {
  keepAliveMs: 15_000,
  lingerMs: 2_000,
  farewellMs: 1_000,
};

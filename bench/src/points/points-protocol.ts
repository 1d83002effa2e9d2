/** What the bench asks of a server's process; it answers each with one message. */
export type ServerCommand =
  | { readonly kind: "import"; readonly file: string }
  | { readonly kind: "snapshot" };

export interface ServerReply {
  readonly seconds: number;
  /** How many events were stored, or how many are in the ranking of all. */
  readonly count: number;
  /** Why it was not done. */
  readonly failure?: string;
}

/** What the bench asks of the load's process. `start` is answered once all connections have warmed up. */
export type LoadCommand =
  | {
      readonly kind: "start";
      readonly port: number;
      /** Whose CPU time is read. */
      readonly pid: number;
      readonly connections: number;
      /** Of the ranking: users and offsets are anywhere in it. */
      readonly addresses: number;
    }
  | { readonly kind: "stop" };

export type LoadReply = { readonly started: true } | { readonly round: PointsRound };

export interface PointsRound {
  readonly requests_per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly longest_ms: number;
  readonly answers: number;
  /** Cores that all threads of the server took together. */
  readonly busy: number;
  readonly errors: number;
}

/** The bench's commands to a server's process, which answers each with one message. */
export type ServerCommand =
  | { readonly kind: "import"; readonly file: string }
  | { readonly kind: "snapshot" };

export interface ServerReply {
  readonly seconds: number;
  /** The number of stored events, or of addresses in the overall ranking. */
  readonly count: number;
  /** Why it failed. */
  readonly failure?: string;
}

/** The bench's commands to the load process. `start` is answered once all connections have warmed up. */
export type LoadCommand =
  | {
      readonly kind: "start";
      readonly port: number;
      /** The process whose CPU time is read. */
      readonly pid: number;
      readonly connections: number;
      /** Size of the ranking: users and offsets are anywhere in it. */
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
  /** The number of cores that all the server's threads used together. */
  readonly busy: number;
  readonly errors: number;
}

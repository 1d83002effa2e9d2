/** Progress of a running arena. */
export type ArenaEvent =
  | {
      readonly event: "round_over";
      /** Starts at 1. */
      readonly match: number;
      readonly matches: number;
      readonly round: number;
      readonly rounds: number;
      /** Per trader. */
      readonly equity: Readonly<Record<string, number>>;
    }
  /** Its turn took too long, so it is out. */
  | { readonly event: "trader_late"; readonly trader: string }
  | { readonly event: "trader_failed"; readonly trader: string; readonly error: string };

/** What happens while an arena runs. */
export type ArenaEvent =
  | {
      readonly event: "round_over";
      readonly round: number;
      readonly rounds: number;
      /** By trader. */
      readonly equity: Readonly<Record<string, number>>;
    }
  /** Its turn took too long: it has no more turns. */
  | { readonly event: "trader_late"; readonly trader: string }
  | { readonly event: "trader_failed"; readonly trader: string; readonly error: string };

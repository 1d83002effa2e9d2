import type { FaultSettings } from "@proj/paper-broker";

/** What happens in a second of market time; the settings hold until the next one. */
export interface MarketSecond {
  readonly faults: Partial<FaultSettings>;
  readonly drop: "one" | "all" | null;
}

/** What the soak tells its broker; each is answered by a message of the same name. */
export type BrokerOrder =
  | { readonly second: MarketSecond }
  | { readonly memory: true }
  | { readonly tables: true };

/** What it tells its bots, answered likewise. */
export type BotsOrder =
  | { readonly turn: true }
  | { readonly memory: true }
  | { readonly finish: true };

/** After a forced collection of garbage. */
export interface Memory {
  readonly rss_mb: number;
}

/** What a bot was told of its orders. Amounts are thousands. */
export type BotNews =
  | {
      readonly kind: "placed";
      readonly account_id: string;
      readonly orderId: string;
      readonly amount: number;
      readonly isEntry: boolean;
      /** Its trade may be closed by the server. */
      readonly isProtected: boolean;
    }
  | {
      readonly kind: "ended";
      readonly orderId: string;
      readonly tradeIds: readonly string[];
      readonly isComplete: boolean;
      readonly status: number | null;
    }
  /** It is about to ask, and then it was answered that it is so. */
  | { readonly kind: "deleting" | "deleted"; readonly orderId: string }
  | { readonly kind: "closing" | "closed"; readonly tradeId: string }
  /** An order was sent, and nobody knows what became of it. */
  | { readonly kind: "unknown"; readonly account_id: string }
  | { readonly kind: "refused"; readonly code: number | null }
  /** An order did not get to the server. */
  | { readonly kind: "notSent" }
  /** What must not happen. */
  | { readonly kind: "failed"; readonly what: string };

/** What the bots say at their end. */
export interface BotsReport {
  readonly reconnects: number;
  readonly prices: number;
  readonly changes: number;
  /** Tables of which a bot's mirror was not what the server has. */
  readonly mirrors: readonly string[];
}

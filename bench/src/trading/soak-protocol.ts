import type { FaultSettings } from "@proj/paper-broker";

/** What happens in one second of market time; the settings hold until the next. */
export interface MarketSecond {
  readonly faults: Partial<FaultSettings>;
  readonly drop: "one" | "all" | null;
}

/** The soak's commands to its broker; each is answered by a message of the same name. */
export type BrokerOrder =
  | { readonly second: MarketSecond }
  | { readonly memory: true }
  | { readonly tables: true };

/** The soak's commands to its bots, answered likewise. */
export type BotsOrder =
  | { readonly turn: true }
  | { readonly memory: true }
  | { readonly finish: true };

/** Memory after a forced garbage collection. */
export interface Memory {
  readonly rss_mb: number;
}

/** What a bot was told about its orders. Amounts are in thousands. */
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
  /** First when the bot is about to ask for it, then when that was confirmed. */
  | { readonly kind: "deleting" | "deleted"; readonly orderId: string }
  | { readonly kind: "closing"; readonly tradeId: string }
  /** `orderId`: of the closing order, which may wait for the rest of its amount. */
  | { readonly kind: "closed"; readonly tradeId: string; readonly orderId: string }
  /** An order was sent, and its outcome is unknown. */
  | { readonly kind: "unknown"; readonly account_id: string }
  | { readonly kind: "refused"; readonly code: number | null }
  /** An order did not reach the server. */
  | { readonly kind: "notSent" }
  /** What must not happen. */
  | { readonly kind: "failed"; readonly what: string };

/** The bots' final report. */
export interface BotsReport {
  readonly reconnects: number;
  readonly prices: number;
  readonly changes: number;
  /** Tables for which a bot's mirror differed from the server. */
  readonly mirrors: readonly string[];
}

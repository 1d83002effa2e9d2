import type { EntryTimeInForce } from "./order-codes.ts";
import type { OrderIdentity } from "./requests.ts";

/** POST /trading/simple_oco: two entry orders; the first to execute cancels the other. */
export interface SimpleOcoRequest extends OrderIdentity {
  readonly account_id: string;
  readonly symbol: string;
  readonly amount: number;
  readonly time_in_force: EntryTimeInForce;
  /** See CreateEntryOrderRequest. */
  readonly expiration?: string;
  /** Applies to both orders. @default false */
  readonly is_in_pips?: boolean;
  readonly is_buy: boolean;
  readonly rate: number;
  readonly stop?: number;
  readonly limit?: number;
  readonly trailing_stop_step?: number;
  readonly is_buy2: boolean;
  readonly rate2: number;
  readonly stop2?: number;
  readonly limit2?: number;
  readonly trailing_stop_step2?: number;
}

/** POST /trading/add_to_oco */
export interface AddToOcoRequest {
  readonly orderIds: readonly string[];
  /** 0: a new group. */
  readonly ocoBulkId: number;
}

/** POST /trading/remove_from_oco */
export interface RemoveFromOcoRequest {
  readonly orderIds: readonly string[];
}

/** POST /trading/edit_oco */
export interface EditOcoRequest {
  readonly ocoBulkId: number;
  readonly addOrderIds: readonly string[];
  readonly removeOrderIds: readonly string[];
}

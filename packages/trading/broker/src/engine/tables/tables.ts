import type {
  AccountRecord,
  ClosedPositionRecord,
  LeverageProfileRecord,
  OcoRecord,
  OfferRecord,
  OpenPositionRecord,
  OrderRecord,
  PropertyRecord,
  SummaryRecord,
} from "@proj/trading-client/wire";
import type { Order } from "../order.ts";
import type { Position } from "../position.ts";
import type { TableChange } from "../table-change.ts";
import { LiveTable } from "./live-table.ts";

/** All tables, and the changes not yet taken. */
export class Tables {
  readonly #changes: TableChange[] = [];

  readonly offers: LiveTable<OfferRecord, number> = new LiveTable(
    ({ t, offerId }) => ({ t, offerId }),
    (record) => this.#changes.push({ model: "Offer", record }),
  );
  readonly openPositions: LiveTable<OpenPositionRecord, number> = new LiveTable(
    ({ t, tradeId }) => ({ t, tradeId }),
    (record) => this.#changes.push({ model: "OpenPosition", record }),
  );
  readonly closedPositions: LiveTable<ClosedPositionRecord, number> = new LiveTable(
    ({ t, tradeId }) => ({ t, tradeId }),
    (record) => this.#changes.push({ model: "ClosedPosition", record }),
  );
  readonly orders: LiveTable<OrderRecord, number> = new LiveTable(
    ({ t, orderId }) => ({ t, orderId }),
    (record) => this.#changes.push({ model: "Order", record }),
  );
  readonly summaries: LiveTable<SummaryRecord, string> = new LiveTable(
    ({ t, offerId }) => ({ t, offerId }),
    (record) => this.#changes.push({ model: "Summary", record }),
  );
  readonly accounts: LiveTable<AccountRecord, string> = new LiveTable(
    ({ t, accountId }) => ({ t, accountId }),
    (record) => this.#changes.push({ model: "Account", record }),
  );
  readonly groups: LiveTable<OcoRecord, number> = new LiveTable(
    ({ t, ocoBulkId }) => ({ t, ocoBulkId }),
    (record) => this.#changes.push({ model: "OCO", record }),
  );
  /** These two never change. */
  leverageProfiles: readonly LeverageProfileRecord[] = [];
  properties: readonly PropertyRecord[] = [];

  /** Rows whose figures may have changed; they are pushed when changes are taken. */
  readonly touchedOffers: Set<string> = new Set();
  readonly touchedPositions: Set<number> = new Set();
  readonly touchedOrders: Set<number> = new Set();
  readonly touchedSummaries: Set<string> = new Set();
  readonly touchedAccounts: Set<string> = new Set();
  readonly touchedGroups: Set<number> = new Set();

  touchPosition({ tradeId, symbol, accountId }: Position): void {
    this.touchedPositions.add(tradeId);
    this.touchedSummaries.add(symbol);
    this.touchedAccounts.add(accountId);
  }

  touchOrder({ orderId, trades }: Order): void {
    this.touchedOrders.add(orderId);
    for (const tradeId of trades) this.touchedPositions.add(tradeId);
  }

  /** Marks the order's OCO group, which it has joined or is about to leave; does nothing without a group. */
  touchGroup({ ocoBulkId }: Order): void {
    if (ocoBulkId !== 0) this.touchedGroups.add(ocoBulkId);
  }

  /** The changes since the last call, in order. */
  take(): readonly TableChange[] {
    this.orders.forgetInserts();
    return this.#changes.splice(0);
  }
}

/**
 * A row of the OCO table: a group of entry orders; the first to execute cancels the others.
 * Key: `ocoBulkId`. The interface defines only its `t`; the rest is our own.
 */
export interface OcoRecord {
  readonly t: 4;
  /** The `ocoBulkId` of its orders. */
  readonly ocoBulkId: number;
  readonly accountId: string;
  /** The remaining orders, oldest first; an update has all of them. */
  readonly orderIds: readonly string[];
}

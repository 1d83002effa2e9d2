/**
 * A row of the OCO table: a group of entry orders of which the first to be executed cancels the
 * others. Key: `ocoBulkId`. Of the interface only its `t` is known; the rest is our own.
 */
export interface OcoRecord {
  readonly t: 4;
  /** The `ocoBulkId` of its orders. */
  readonly ocoBulkId: number;
  readonly accountId: string;
  /** Those that are left, the oldest first; an update has all of them. */
  readonly orderIds: readonly string[];
}

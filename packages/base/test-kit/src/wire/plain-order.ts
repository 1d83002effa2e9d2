/** What an order of the trading interface says where it is plain: no stop, no limit, no range, not waiting. */
export const plainOrder = {
  stopMove: 0,
  stop: 0,
  stopRate: 0,
  limit: 0,
  limitRate: 0,
  range: 0,
  isEntryOrder: false,
  isNetQuantity: false,
  isLimitOrder: false,
  isStopOrder: false,
  isELSOrder: false,
  ocoBulkId: 0,
  stopPegBaseType: -1,
  limitPegBaseType: -1,
} as const;

import { bareForwardRow, bareParseRow } from "./bare-proxy-rows.ts";
import {
  gatewayBoundNormalRow,
  gatewayBoundRow,
  gatewayBoundTracedRow,
  gatewayUnboundRow,
} from "./gateway-rows.ts";
import { haproxyRow } from "./haproxy-row.ts";
import type { ServerRow } from "./server-row.ts";
import { upstreamRow } from "./upstream-row.ts";

/** In the order of the tables. */
export const ROWS: readonly ServerRow[] = [
  upstreamRow,
  haproxyRow,
  bareForwardRow,
  bareParseRow,
  gatewayUnboundRow,
  gatewayBoundRow,
  gatewayBoundNormalRow,
  gatewayBoundTracedRow,
];

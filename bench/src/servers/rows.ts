import { bareForwardRow, bareParseRow } from "./bare-proxy-rows.ts";
import {
  gatewayBoundMessagesRow,
  gatewayBoundNormalRow,
  gatewayBoundRow,
  gatewayBoundTracedRow,
  gatewayUnboundRow,
} from "./gateway-rows.ts";
import { haproxyRow } from "./haproxy-row.ts";
import { bifrostLogRow, bifrostRow } from "./peers/bifrost-rows.ts";
import { litellmLogRow, litellmRow } from "./peers/litellm-rows.ts";
import { rllmRow } from "./peers/rllm-row.ts";
import { portkeyRow } from "./portkey-row.ts";
import type { ServerRow } from "./server-row.ts";
import { upstreamRow } from "./upstream-row.ts";

/** In the order of the tables. */
export const ROWS: readonly ServerRow[] = [
  upstreamRow,
  haproxyRow,
  bareForwardRow,
  bareParseRow,
  portkeyRow,
  litellmRow,
  litellmLogRow,
  bifrostRow,
  bifrostLogRow,
  rllmRow,
  gatewayUnboundRow,
  gatewayBoundRow,
  gatewayBoundNormalRow,
  gatewayBoundMessagesRow,
  gatewayBoundTracedRow,
];

const peers: readonly ServerRow[] = [litellmRow, litellmLogRow, bifrostRow, bifrostLogRow, rllmRow];

/** Measured only if named: another API, and rows that take minutes. */
const special: readonly ServerRow[] = [...peers, gatewayBoundMessagesRow];

/** The rows that are measured by default. */
export const USUAL_ROWS: readonly string[] = ROWS.filter((row) => !special.includes(row)).map(
  ({ name }) => name,
);

/** Likewise for a comparison with other gateways, which need minutes for what the others do in seconds. */
export const PEER_ROWS: readonly string[] = [
  upstreamRow,
  bareParseRow,
  portkeyRow,
  ...peers,
  gatewayUnboundRow,
  gatewayBoundRow,
  gatewayBoundNormalRow,
].map(({ name }) => name);

/** Measured with ten thousand streams: one variant of each. */
export const MANY_STREAMS_ROWS: readonly string[] = [
  bareParseRow,
  portkeyRow,
  litellmRow,
  bifrostRow,
  rllmRow,
  gatewayUnboundRow,
  gatewayBoundRow,
].map(({ name }) => name);

import type { Program } from "@proj/program";
import { check } from "./check.ts";
import { mcp } from "./mcp.ts";
import { report } from "./report.ts";
import { serve } from "./serve.ts";

/** The program `paper-trading`. */
export const paperTrading: Program = {
  name: "paper-trading",
  manifest: new URL("../package.json", import.meta.url),
  about: "A trading server with paper money, for bots that speak the trading interface.",
  commands: [serve, check, report, mcp],
  otherwise: serve,
};

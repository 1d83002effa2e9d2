import type { Program } from "@proj/program";
import { run } from "./arena.ts";

/** The program `arena`. */
export const arena: Program = {
  name: "arena",
  manifest: new URL("../package.json", import.meta.url),
  about:
    "Traders that a model drives, on one market with paper money, ranked by return over drawdown.",
  commands: [run],
  otherwise: run,
};

import type { Program } from "@proj/program";

/** The program `arena`. */
export const arena: Program = {
  name: "arena",
  manifest: new URL("../package.json", import.meta.url),
  about: "Model-driven traders on one paper-money market, ranked by return over drawdown.",
  commands: {
    run: async () => (await import("./run.ts")).run,
    view: async () => (await import("./view.ts")).view,
  },
  otherwise: "run",
};

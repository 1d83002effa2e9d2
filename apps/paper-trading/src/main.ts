import type { Program } from "@proj/program";

/** The program `paper-trading`. */
export const paperTrading: Program = {
  name: "paper-trading",
  manifest: new URL("../package.json", import.meta.url),
  about: "A paper-money trading server for bots that speak the trading interface.",
  commands: {
    serve: async () => (await import("./serve.ts")).serve,
    check: async () => (await import("./check.ts")).check,
    report: async () => (await import("./report.ts")).report,
    mcp: async () => (await import("./mcp.ts")).mcp,
  },
  otherwise: "serve",
};

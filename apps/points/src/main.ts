import type { Program } from "@proj/program";

/** The program `points`. */
export const points: Program = {
  name: "points",
  manifest: new URL("../package.json", import.meta.url),
  about: "Serves a points leaderboard, quests and prices of one network.",
  commands: {
    serve: async () => (await import("./serve.ts")).serve,
    check: async () => (await import("./check.ts")).check,
    import: async () => (await import("./import-file.ts")).importFile,
    snapshot: async () => (await import("./snapshot.ts")).snapshot,
    export: async () => (await import("./export.ts")).exportSnapshot,
    audit: async () => (await import("./audit.ts")).audit,
  },
  otherwise: "serve",
};

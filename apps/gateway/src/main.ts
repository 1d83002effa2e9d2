import type { Program } from "@proj/program";

/** The program `gateway`. */
export const gateway: Program = {
  name: "gateway",
  manifest: new URL("../package.json", import.meta.url),
  about: "A model gateway that binds each call to a session and records every step.",
  commands: {
    serve: async () => (await import("./serve.ts")).serve,
    check: async () => (await import("./check.ts")).check,
    init: async () => (await import("./init.ts")).init,
    prune: async () => (await import("./prune.ts")).prune,
    backup: async () => (await import("./backup.ts")).backup,
  },
  otherwise: "serve",
};

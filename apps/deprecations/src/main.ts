import type { Program } from "@proj/program";

/** The program `deprecations`. */
export const deprecations: Program = {
  name: "deprecations",
  manifest: new URL("../package.json", import.meta.url),
  about:
    "Reads the providers' deprecation pages, publishes them as feeds, and checks models against a feed.",
  commands: {
    build: async () => (await import("./build.ts")).build,
    serve: async () => (await import("./serve.ts")).serve,
    check: async () => (await import("./check.ts")).check,
  },
};

import type { Program } from "@proj/program";
import { build } from "./build.ts";
import { check } from "./check.ts";
import { serve } from "./serve.ts";

/** The program `deprecations`. */
export const deprecations: Program = {
  name: "deprecations",
  manifest: new URL("../package.json", import.meta.url),
  about:
    "Reads the providers' deprecation pages, publishes what they say as feeds, and checks models against it.",
  commands: [build, serve, check],
};

import type { Program } from "@proj/program";
import { backup } from "./backup.ts";
import { check } from "./check.ts";
import { init } from "./init.ts";
import { serve } from "./serve.ts";

/** The program `gateway`. */
export const gateway: Program = {
  name: "gateway",
  manifest: new URL("../package.json", import.meta.url),
  about:
    "A model gateway that binds chat completions and responses to sessions and records every step.",
  commands: [serve, check, init, backup],
  otherwise: serve,
};

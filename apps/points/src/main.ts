import type { Program } from "@proj/program";
import { audit } from "./audit.ts";
import { check } from "./check.ts";
import { exportSnapshot } from "./export.ts";
import { importFile } from "./import-file.ts";
import { serve } from "./serve.ts";
import { snapshot } from "./snapshot.ts";

/** The program `points`. */
export const points: Program = {
  name: "points",
  manifest: new URL("../package.json", import.meta.url),
  about: "Serves a points leaderboard, quests and prices of one network.",
  commands: [serve, check, importFile, snapshot, exportSnapshot, audit],
  otherwise: serve,
};

import type { Program } from "@proj/program";
import { check } from "./check/check.ts";
import { doctor } from "./doctor/doctor.ts";
import { evaluate } from "./evaluate/evaluate.ts";
import { exportSteps } from "./export/export.ts";
import { fork } from "./fork/fork.ts";
import { run } from "./run/run-command.ts";
import { show } from "./show/show.ts";
import { status } from "./status/status.ts";
import { view } from "./view/view.ts";

/** The program `launcher`. */
export const launcher: Program = {
  name: "launcher",
  manifest: new URL("../package.json", import.meta.url),
  about: "Starts simulations against a model gateway, evaluates them and commits their rewards.",
  commands: [run, fork, check, evaluate, status, show, view, exportSteps, doctor],
};

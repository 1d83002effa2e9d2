import { optional, optionalAs } from "@proj/program";
import { finite } from "./report-options.ts";

/** What decides about a job in CI; of `report` and of `run`. */
export const gateOptions = {
  "min-reward": optionalAs(
    "X",
    "exit code 1 if the mean is below, or if rollouts failed that --failed-as does not count",
    finite,
  ),
  summary: optional(
    "FILE",
    "also write the report to it: as JUnit if it ends in .xml, otherwise as Markdown",
    { completion: "files" },
  ),
};

import { mkdirSync } from "node:fs";
import { RESULTS_FOLDER } from "../results.ts";
import { progress, warning } from "../terminal/progress.ts";
import { assignCores, type CoreAssignment } from "./cores.ts";
import { isInMemory, measureFdatasyncMs } from "./fdatasync.ts";
import { reasonToRefuse } from "./idle-check.ts";
import { describeMachine, type MachineDescription, machineLines } from "./machine-description.ts";

export interface PreparedMachine {
  readonly cores: CoreAssignment;
  readonly description: MachineDescription;
  /** Why the figures are unreliable; null on an idle machine. */
  readonly loaded: string | null;
}

/** Null if the machine is busy and the caller does not insist. */
export async function prepareMachine(force: boolean): Promise<PreparedMachine | null> {
  const loaded = await reasonToRefuse();
  if (loaded !== null && !force) {
    warning(`Not measured: ${loaded}. Wait until the machine is idle, or add --force.`);
    return null;
  }
  if (loaded !== null) warning(`The figures are worth little: ${loaded}.`);
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  if (isInMemory(RESULTS_FOLDER)) {
    warning("bench/results is in memory: what is said to be durable costs nothing here.");
  }
  const cores = assignCores();
  const description = describeMachine(cores.note, measureFdatasyncMs(RESULTS_FOLDER));
  for (const line of machineLines(description)) progress(line);
  return { cores, description, loaded };
}

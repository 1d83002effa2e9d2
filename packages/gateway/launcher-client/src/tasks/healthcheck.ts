import { sleep } from "@proj/http-client";
import { EngineTimeUp } from "./container/engine.ts";
import type { TaskContainer } from "./container/task-container.ts";
import type { Healthcheck } from "./folder/task-settings.ts";

/** Asks until the command ends well, as Docker's HEALTHCHECK does. @throws Error it does not */
export async function awaitHealthy(
  container: TaskContainer,
  check: Healthcheck | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (check === undefined) return;
  const begun = performance.now();
  for (let failures = 0; ; ) {
    const isStarting = performance.now() - begun < check.start_period_sec * 1000;
    const said = await askOnce(container, check, signal);
    if (said === null) return;
    if (!isStarting) failures += 1;
    if (failures >= check.retries) throw new Error(`the container is not healthy: ${said}`);
    const pause = isStarting ? check.start_interval_sec : check.interval_sec;
    await sleep(pause * 1000, signal);
  }
}

/** Null: it is healthy; else why not. */
async function askOnce(
  container: TaskContainer,
  { command, timeout_sec }: Healthcheck,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const { code, stderr } = await container.exec(
      command,
      { timeoutMs: timeout_sec * 1000 },
      signal,
    );
    return code === 0 ? null : `'${command}' ended with ${code} ${stderr.trim().slice(-200)}`;
  } catch (error) {
    if (!(error instanceof EngineTimeUp)) throw error;
    return `'${command}' took longer than ${timeout_sec} s`;
  }
}

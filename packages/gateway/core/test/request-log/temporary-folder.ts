import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder that is removed with its content when the test has finished. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

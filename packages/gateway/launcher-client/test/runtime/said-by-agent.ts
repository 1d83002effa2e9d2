import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { temporaryFolder } from "@proj/test-kit";
import { onTestFinished } from "vitest";
import { commandRuntime, keptFolders } from "../../src/index.ts";
import type { AgentCommandOptions } from "../../src/runtime/agent-command.ts";
import { startRequest } from "../start-request.ts";

/** The output of a shell script that runs as an agent, both streams together. */
export async function saidByAgent(
  script: string,
  options: AgentCommandOptions = {},
  request: SimulationStartRequest = startRequest,
): Promise<string> {
  const parent = await temporaryFolder();
  onTestFinished(() => parent.remove());
  const folder = keptFolders(parent.path).of(startRequest.session_id);
  const command = `(${script}) > "$HOME/said" 2>&1; echo '{"status":"ok"}'`;
  const { signal } = new AbortController();
  await commandRuntime(command, options).run(request, { signal, folder });
  return readFile(join((await folder.open()).home, "said"), "utf8");
}

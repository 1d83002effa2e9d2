import { execFile } from "node:child_process";
import { type DemoUpstream, startDemoUpstream, temporaryFolder } from "@proj/test-kit";
import { GatewayProcess } from "../storms/gateway-process.ts";
import type { Client, Scenario } from "./clients.ts";
import { embedded, startEmbeddingUpstream } from "./embedding-upstream.ts";
import type { InstalledClients } from "./install-clients.ts";

const toolRounds = 2;
const max_steps = 4;
const longestMs = 90_000;

/** What a client did wrong in one scenario; null: nothing. */
export type Complaint = string | null;

/** Runs clients against one gateway: a process for each client, a session for each scenario. */
export class ClientRunner implements AsyncDisposable {
  readonly #gateway: GatewayProcess;
  readonly #end: () => Promise<void>;

  private constructor(gateway: GatewayProcess, end: () => Promise<void>) {
    this.#gateway = gateway;
    this.#end = end;
  }

  static async start(): Promise<ClientRunner> {
    const folder = await temporaryFolder();
    const upstreams: DemoUpstream[] = await Promise.all([
      startDemoUpstream({ toolRounds }),
      startDemoUpstream({ toolRounds: 1_000 }),
    ]);
    const [brief, endless] = upstreams.map(({ url: base_url }) => {
      return { base_url, endpoints: ["chat_completions", "responses", "messages"] };
    });
    const embedder = await startEmbeddingUpstream();
    const gateway = await GatewayProcess.start(folder.path, {
      max_steps,
      llm_routes: { demo: brief, endless, embedder: { base_url: embedder.url } },
    });
    return new ClientRunner(gateway, async () => {
      await gateway[Symbol.asyncDispose]();
      await Promise.all([...upstreams, embedder].map((upstream) => upstream.close()));
      await folder.remove();
    });
  }

  /** Complaints by scenario. */
  async run(
    client: Client,
    installed: InstalledClients,
  ): Promise<ReadonlyMap<Scenario, Complaint>> {
    const places = client.scenarios.map((scenario) => {
      const session_id = `${client.kit}-${client.name}-${scenario}`;
      const baseURL = `${this.#gateway.url}/v1/sessions/${session_id}`;
      return { scenario, baseURL };
    });
    const asked = places.flatMap(({ scenario, baseURL }) => callOf(scenario, baseURL));
    const told = await tell(installed, [client.name, ...asked]);
    const complaints = places.map(async ({ scenario, baseURL }, at) => {
      const { text, error } = told.results[at] ?? { error: told.failure };
      if (error !== undefined) return [scenario, error] as const;
      if (!isRight(scenario, text ?? "")) return [scenario, `it holds ${text}`] as const;
      return [scenario, await this.#judge(baseURL, scenario)] as const;
    });
    return new Map(await Promise.all(complaints));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  async #judge(baseURL: string, scenario: Scenario): Promise<Complaint> {
    const { steps } = (await (await fetch(`${baseURL}/steps`)).json()) as { steps: StepLine[] };
    const expected = stepsOf[scenario];
    if (steps.length !== expected) return `${steps.length} steps, not ${expected}`;
    const bad = steps.find(({ status_code }) => status_code !== 200);
    if (bad !== undefined) return `step ${bad.step_id} has status ${bad.status_code}`;
    return null;
  }
}

/** Embeddings are not steps, but leave a row. */
const stepsOf: Readonly<Record<Scenario, number>> = {
  plain: 1,
  streamed: 1,
  tools: toolRounds + 1,
  budget: max_steps,
  embeddings: 1,
};

/** The function in the client's module, the session, and the model. */
function callOf(scenario: Scenario, baseURL: string): readonly string[] {
  if (scenario === "budget") return ["tools", baseURL, "endless"];
  return [scenario, baseURL, scenario === "embeddings" ? "embedder" : "demo"];
}

/** Whether the client got what the model answered. */
function isRight(scenario: Scenario, text: string): boolean {
  if (scenario === "budget") return true;
  if (scenario !== "embeddings") return text.includes("42");
  return text === JSON.stringify(embedded.map(({ vector }) => vector));
}

interface StepLine {
  readonly step_id: number;
  readonly status_code: number;
}

interface Result {
  readonly text?: string;
  readonly error?: string;
}

/** What the program reported about each scenario, and why it ended before the rest. */
async function tell(
  { command: [program, file], folder: cwd }: InstalledClients,
  args: readonly string[],
): Promise<{ readonly results: readonly Result[]; readonly failure: string }> {
  // The programs get all they need here; anything that they would send elsewhere goes nowhere.
  const env = { PATH: process.env.PATH, HOME: cwd, DO_NOT_TRACK: "1", MSWEA_SILENT_STARTUP: "1" };
  const { error, stdout, stderr } = await new Promise<Ended>((resolve) => {
    execFile(program, [file, ...args], { cwd, timeout: longestMs, env }, (...[error, out, err]) =>
      resolve({ error, stdout: out, stderr: err }),
    );
  });
  const lines = [...stdout.matchAll(/^RESULT (.*)$/gm)].map(([, json = ""]) => json);
  const failure = stderr.trim().split("\n").at(-1) || error?.message || "it said nothing";
  return { results: lines.map((json) => JSON.parse(json) as Result), failure };
}

interface Ended {
  readonly error: Error | null;
  readonly stdout: string;
  readonly stderr: string;
}

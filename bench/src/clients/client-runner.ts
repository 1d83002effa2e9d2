import { execFile } from "node:child_process";
import { join } from "node:path";
import {
  type DemoUpstream,
  qwen3Folder,
  startDemoUpstream,
  startSamplingEngine,
  temporaryFolder,
} from "@proj/test-kit";
import { GatewayProcess } from "../storms/gateway-process.ts";
import type { Client, Scenario } from "./clients.ts";
import { type DeliveredTokens, deliveredOf } from "./delivered-tokens.ts";
import { embedded, startEmbeddingUpstream } from "./embedding-upstream.ts";
import type { InstalledClients } from "./install-clients.ts";
import { scriptedPolicy, toolRounds } from "./scripted-policy.ts";

/** The APIs of the demo upstream that clients use. */
const spoken = ["chat_completions", "responses", "messages"];
/** More than a client's longest task with an engine takes. */
const budget = 8;
const maxMs = 90_000;

/** What a client did wrong in one scenario; null: nothing. */
export type Complaint = string | null;

/** Runs clients against one gateway: a process for each client, a session for each scenario. */
export class ClientRunner implements AsyncDisposable {
  readonly #gateway: GatewayProcess;
  /** The database of the gateway's rows. */
  readonly db_url: string;
  readonly #end: () => Promise<void>;

  private constructor(gateway: GatewayProcess, db_url: string, end: () => Promise<void>) {
    this.#gateway = gateway;
    this.db_url = db_url;
    this.#end = end;
  }

  /** @param max_steps the budget; programs take more steps than clients */
  static async start(max_steps: number = budget): Promise<ClientRunner> {
    const folder = await temporaryFolder();
    const upstreams: DemoUpstream[] = await Promise.all([
      startDemoUpstream({ toolRounds }),
      startDemoUpstream({ toolRounds: 1_000 }),
    ]);
    const [brief, endless] = upstreams.map(({ url: base_url }) => {
      return { base_url, endpoints: spoken };
    });
    const embedder = await startEmbeddingUpstream();
    const engine = await startSamplingEngine(scriptedPolicy);
    const endpoints = [...spoken, "generate_content"];
    const policy = { base_url: engine.url, endpoints, engine: "vllm", tokenizer: qwen3Folder };
    const db_url = `sqlite://${join(folder.path, "gateway.db")}`;
    const gateway = await GatewayProcess.start(folder.path, {
      max_steps,
      storage_config: { db_url },
      llm_routes: { demo: brief, endless, policy, embedder: { base_url: embedder.url } },
    });
    return new ClientRunner(gateway, db_url, async () => {
      await gateway[Symbol.asyncDispose]();
      await Promise.all([...upstreams, embedder, engine].map((upstream) => upstream.close()));
      await folder.remove();
    });
  }

  get url(): string {
    return this.#gateway.url;
  }

  /** What a trainer gets of the client's conversation with an engine. */
  async delivered(client: Client): Promise<DeliveredTokens> {
    return deliveredOf(this.db_url, sessionOf(client, "tokens"));
  }

  /** Complaints by scenario. */
  async run(
    client: Client,
    installed: InstalledClients,
  ): Promise<ReadonlyMap<Scenario, Complaint>> {
    const places = client.scenarios.map((scenario) => {
      const session_id = sessionOf(client, scenario);
      const baseURL = `${this.#gateway.url}/v1/sessions/${session_id}`;
      return { scenario, baseURL };
    });
    const asked = places.flatMap(({ scenario, baseURL }) => callOf(client, scenario, baseURL));
    const told = await tell(installed, [client.name, ...asked]);
    const complaints = places.map(async ({ scenario, baseURL }, at) => {
      const { text, error } = told.results[at] ?? { error: told.failure };
      if (error !== undefined) return [scenario, error] as const;
      if (!isRight(scenario, text ?? "")) return [scenario, `it holds ${text}`] as const;
      return [scenario, await this.#judge(client, baseURL, scenario)] as const;
    });
    return new Map(await Promise.all(complaints));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  async #judge(client: Client, baseURL: string, scenario: Scenario): Promise<Complaint> {
    const { steps } = (await (await fetch(`${baseURL}/steps`)).json()) as { steps: StepLine[] };
    const expected = stepsOf[scenario === "tokens" ? longestOf(client) : scenario];
    if (steps.length !== expected) return `${steps.length} steps, not ${expected}`;
    const bad = steps.find(({ status_code }) => status_code !== 200);
    if (bad !== undefined) return `step ${bad.step_id} has status ${bad.status_code}`;
    if (scenario !== "tokens") return null;
    const { fraction, breaks } = await this.delivered(client);
    if (fraction < 1) return `${(100 * fraction).toFixed(1)} % of the tokens are delivered`;
    return breaks.length === 0 ? null : `it breaks: ${breaks.join(", ")}`;
  }
}

/** Embeddings are not steps, but leave a row. */
const stepsOf: Readonly<Record<Exclude<Scenario, "tokens">, number>> = {
  plain: 1,
  streamed: 1,
  tools: toolRounds + 1,
  budget,
  embeddings: 1,
};

const sessionOf = ({ kit, name }: Client, scenario: Scenario): string =>
  `${kit}-${name}-${scenario}`;

/** The scenario with most steps that a client can play with an engine. */
const longestOf = ({ scenarios }: Client): "tools" | "streamed" | "plain" =>
  (["tools", "streamed"] as const).find((name) => scenarios.includes(name)) ?? "plain";

/** The function in the client's module, the session, and the model. */
function callOf(client: Client, scenario: Scenario, baseURL: string): readonly string[] {
  if (scenario === "tokens") return [longestOf(client), baseURL, "policy"];
  // No demo upstream speaks it: the engine's answers are translated.
  if (client.api === "generateContent") return [scenario, baseURL, "policy"];
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
    execFile(program, [file, ...args], { cwd, timeout: maxMs, env }, (...[error, out, err]) =>
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

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Balancer, type RunningProcess, startBalancer, temporaryFolder } from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import OpenAI from "openai";
import { Client } from "pg";
import { startGatewayProcess } from "../gateway-process.ts";

const deploy = new URL("../../../../deploy/", import.meta.url);
export const apiKey = "of-the-tests";
export const model = "policy";

export interface SiteOptions {
  /** The base URL of the only route. */
  readonly upstreamUrl: string;
  /** A database that the test stops and starts. @default a new, empty one */
  readonly db_url?: string;
  /** How the first gateway reaches the database. @default as the second one does */
  readonly firstDbUrl?: (db_url: string) => string;
  /** How both reach it. */
  readonly everyDbUrl?: (db_url: string) => string;
  /** @default true */
  readonly hasBalancer?: boolean;
  /** @default HAProxy */
  readonly startBalancer?: ((gatewayUrls: readonly string[]) => Promise<Balancer>) | undefined;
  /** Added to the gateways' configuration file. */
  readonly config?: string;
}

export interface GatewayOfSite {
  readonly program: RunningProcess;
  readonly url: string;
}

export interface StoredRow {
  readonly session_id: string;
  readonly step_id: number;
  readonly status_code: number;
  readonly answer_id: string | null;
}

/** Two gateways with one database, as in `deploy/one-machine` but on other ports. */
export class Site implements AsyncDisposable {
  readonly db_url: string;
  readonly first: GatewayOfSite;
  readonly second: GatewayOfSite;
  readonly #balancer: Balancer | null;
  readonly #parts: readonly AsyncDisposable[];
  readonly #options: SiteOptions;

  private constructor(
    { db_url, first, second }: Pick<Site, "db_url" | "first" | "second">,
    balancer: Balancer | null,
    parts: readonly AsyncDisposable[],
    options: SiteOptions,
  ) {
    this.db_url = db_url;
    this.first = first;
    this.second = second;
    this.#balancer = balancer;
    this.#parts = parts;
    this.#options = options;
  }

  static async start(options: SiteOptions): Promise<Site> {
    const parts: AsyncDisposable[] = [];
    const own = <Part extends AsyncDisposable>(part: Part): Part => {
      parts.push(part);
      return part;
    };
    try {
      const db_url = options.db_url ?? own(await temporaryPostgres()).url;
      const secondDbUrl = options.everyDbUrl ?? ((url) => url);
      const firstDbUrl = options.firstDbUrl ?? secondDbUrl;
      const programs = [
        own(await startGateway(firstDbUrl(db_url), options)),
        own(await startGateway(secondDbUrl(db_url), options)),
      ] as const;
      const [first, second] = await Promise.all([served(programs[0]), served(programs[1])]);
      const gateways = [first.url, second.url];
      const start = options.startBalancer ?? startBalancer;
      const balancer = options.hasBalancer === false ? null : own(await start(gateways));
      return new Site({ db_url, first, second }, balancer, parts, options);
    } catch (error) {
      await disposeOf(parts);
      throw error;
    }
  }

  get balancer(): Balancer {
    if (this.#balancer === null) throw new Error("This site has no balancer.");
    return this.#balancer;
  }

  /** Starts a new gateway at the address of one that has ended. */
  async startInPlaceOf({ url }: GatewayOfSite): Promise<GatewayOfSite & AsyncDisposable> {
    const started = await startGateway(this.db_url, this.#options, new URL(url).port);
    try {
      return { ...started, ...(await served(started)) };
    } catch (error) {
      await disposeOf([started]);
      throw error;
    }
  }

  /** Sessions that a gateway has in memory. */
  async sessionsAt({ url }: GatewayOfSite): Promise<readonly string[]> {
    const answer = await fetch(`${url}/v1/sessions?limit=1000`, { headers });
    const { sessions } = (await answer.json()) as { sessions: { session_id: string }[] };
    return sessions.map(({ session_id }) => session_id);
  }

  async query<Row extends object>(sql: string): Promise<Row[]> {
    const client = new Client({ connectionString: this.db_url });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** All steps, in the order in which they were stored. */
  storedRows(): Promise<StoredRow[]> {
    return this.query<StoredRow>(
      `select session_id, step_id, status_code, response::json ->> 'id' as answer_id
       from session_steps order by id`,
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return disposeOf(this.#parts);
  }
}

interface StartedGateway extends AsyncDisposable {
  readonly program: RunningProcess;
}

/** In a folder of its own. */
async function startGateway(
  db_url: string,
  { upstreamUrl, config = "" }: SiteOptions,
  port: string = "0",
): Promise<StartedGateway> {
  const folder = await temporaryFolder();
  const text = await readFile(new URL("gateway.yaml", deploy), "utf8");
  await writeFile(join(folder.path, "gateway.yaml"), `${text}\n${config}\n`);
  const env = {
    ...(await environmentOfUnit(port)),
    ...{
      DATABASE_URL: db_url,
      GATEWAY_API_KEY: apiKey,
      GATEWAY_SESSION_SECRET: "a secret of this site only",
      POLICY_URL: upstreamUrl,
    },
    SHUTDOWN_DELAY_S: "4",
  };
  const program = startGatewayProcess(["--config", "gateway.yaml"], { cwd: folder.path, env });
  return {
    program,
    [Symbol.asyncDispose]: async () => {
      await program[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

async function served({ program }: StartedGateway): Promise<GatewayOfSite> {
  const line = await program.line(/^gateway +http/);
  return { program, url: line.replace(/^gateway +/, "") };
}

/** Last one first. */
async function disposeOf(parts: readonly AsyncDisposable[]): Promise<void> {
  for (const part of parts.toReversed()) await part[Symbol.asyncDispose]();
}

/** The variables that the systemd unit sets. @param instance what follows its `@` */
async function environmentOfUnit(instance: string): Promise<Record<string, string>> {
  const unit = await readFile(new URL("one-machine/gateway@.service", deploy), "utf8");
  const [, assignments = ""] = /^Environment=(.*)$/m.exec(unit) ?? [];
  const pairs = assignments.replaceAll("%i", instance).split(" ");
  return Object.fromEntries(pairs.map((pair) => pair.split("=")));
}

export const headers: Readonly<Record<string, string>> = {
  authorization: `Bearer ${apiKey}`,
  "content-type": "application/json",
};

/** The official client with its own retries. @param url the URL of a gateway or of the balancer */
export function sessionClient(url: string, session_id: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${url}/v1/sessions/${session_id}` });
}

export function post(url: string, path: string, body: object = {}): Promise<Response> {
  return fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

import { type TemporaryFolder, temporaryFolder } from "@proj/test-kit";
import OpenAI from "openai";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { type StoringUpstream, startStoringUpstream } from "./storing-upstream.ts";

/** A gateway in front of two replicas that store what they make. */
export class StoringGateway implements AsyncDisposable {
  readonly replicas: readonly [StoringUpstream, StoringUpstream];
  readonly #folder: TemporaryFolder;
  readonly #config: Record<string, unknown>;
  #gateway: TestGateway;

  private constructor(
    replicas: readonly [StoringUpstream, StoringUpstream],
    folder: TemporaryFolder,
    config: Record<string, unknown>,
    gateway: TestGateway,
  ) {
    this.replicas = replicas;
    this.#folder = folder;
    this.#config = config;
    this.#gateway = gateway;
  }

  /** @param settings further settings of the gateway */
  static async start(settings: Record<string, unknown> = {}): Promise<StoringGateway> {
    const [one, two] = await Promise.all([startStoringUpstream("a"), startStoringUpstream("b")]);
    const folder = await temporaryFolder();
    const llm_routes = {
      policy: {
        base_urls: [one.url, two.url],
        api_key: "upstream-key",
        keeps: ["responses", "conversations"],
      },
      other: { base_url: two.url },
      spoken: { base_url: one.url, endpoints: ["chat_completions"] },
    };
    const config = { llm_routes, ...settings };
    const gateway = await startGateway(config, { folder: folder.path });
    return new StoringGateway([one, two], folder, config, gateway);
  }

  /** The gateway, which a restart replaces. */
  get gateway(): TestGateway {
    return this.#gateway;
  }

  async restart(): Promise<void> {
    await this.#gateway.close();
    this.#gateway = await startGateway(this.#config, { folder: this.#folder.path });
  }

  /** The official client. @param session_id null: without a session */
  client(session_id: string | null): OpenAI {
    const { url } = this.#gateway;
    const baseURL = session_id === null ? `${url}/v1` : this.#gateway.sessionUrl(session_id);
    return new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
  }

  /** The replica that has the object. */
  holderOf(id: string): StoringUpstream {
    const [one, two] = this.replicas;
    return id.includes("_a_") ? one : two;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gateway.close();
    await Promise.all(this.replicas.map((replica) => replica.close()));
    await this.#folder.remove();
  }
}

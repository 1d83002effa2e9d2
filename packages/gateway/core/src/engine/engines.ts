import type { RouteConfig } from "@proj/gateway-protocol";
import {
  type Continuity,
  type ContinuityOptions,
  EngineRenderer,
  LocalRenderer,
  type Renderer,
  readTokenizerFolder,
} from "../prompts/index.ts";
import { askRender } from "./ask-render.ts";
import type { AsEngineGets } from "./load-turns.ts";
import { SessionTurns } from "./session-turns.ts";

/** A route whose upstream is an inference engine, asked in token ids. */
export interface EngineRoute {
  readonly name: "vllm" | "sglang";
  /** Rejects if the route's `tokenizer` cannot be used. */
  readonly renderer: Promise<Renderer>;
  /** Null: every prompt is rendered whole. */
  readonly continuity: ContinuityOptions | null;
}

type LoadTurns = (
  session_id: string,
  model: string,
  turns: Continuity,
  asEngineGets: AsEngineGets,
) => Promise<void>;

/** What the gateway knows about the engines behind its routes. */
export class Engines {
  /** Of all sessions and routes with continuity. */
  readonly turns: SessionTurns = new SessionTurns();
  /** Reads a session's turns from its rows. */
  readonly load: LoadTurns;
  /** The engine says that it was prompted with other ids than it was sent. */
  readonly onMismatch: (session_id: string | null, model: string) => void;
  readonly #routes = new WeakMap<RouteConfig, EngineRoute>();
  readonly #folders = new Map<string, Promise<LocalRenderer>>();

  constructor(load: LoadTurns, onMismatch: Engines["onMismatch"]) {
    this.load = load;
    this.onMismatch = onMismatch;
  }

  /**
   * Reads the vocabularies of routes before they are served.
   * @throws Error names a route whose `tokenizer` cannot be used
   */
  async open(llm_routes: Readonly<Record<string, RouteConfig>>): Promise<void> {
    for (const [model, route] of Object.entries(llm_routes)) await this.of(route, model)?.renderer;
  }

  /** Null: the route has no engine. */
  of(route: RouteConfig, model: string): EngineRoute | null {
    const { engine, tokenizer, continuity, thinking } = route;
    if (engine === null) return null;
    const known = this.#routes.get(route);
    if (known !== undefined) return known;
    const renderer =
      tokenizer === null
        ? Promise.resolve(
            new EngineRenderer((prompt, signal) => askRender(route, model, prompt, signal)),
          )
        : this.#folder(model, tokenizer);
    const opened = {
      name: engine,
      renderer,
      continuity: continuity === "off" ? null : { thinking },
    };
    this.#routes.set(route, opened);
    // Each call that needs it tells its caller.
    renderer.catch(() => this.#routes.delete(route));
    return opened;
  }

  /** Each folder is read once: a vocabulary takes a third of a second. */
  #folder(model: string, path: string): Promise<LocalRenderer> {
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    const read = readTokenizerFolder(path).then(
      (folder) => new LocalRenderer(folder),
      (cause: unknown) => {
        this.#folders.delete(path);
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`llm_routes.${model}.tokenizer: ${why}`, { cause });
      },
    );
    this.#folders.set(path, read);
    return read;
  }
}

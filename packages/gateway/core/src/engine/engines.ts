import {
  type ContinuityOptions,
  EngineRenderer,
  LocalRenderer,
  type Renderer,
  readTokenizerFolder,
} from "@proj/engines";
import type { RouteConfig } from "@proj/gateway-protocol";
import { askRender } from "./ask-render.ts";
import { SessionTurns } from "./session-turns.ts";

/** A route whose upstream is an inference engine, asked in token ids. */
export interface EngineRoute {
  readonly name: "vllm" | "sglang";
  readonly renderer: Renderer;
  /** Null: every prompt is rendered whole. */
  readonly continuity: ContinuityOptions | null;
}

/** What the gateway knows about the engines behind its routes. */
export class Engines {
  /** Of all sessions and routes with continuity. */
  readonly turns: SessionTurns = new SessionTurns();
  /** The engine says that it was prompted with other ids than it was sent. */
  readonly onMismatch: (session_id: string | null, model: string) => void;
  readonly #routes = new WeakMap<RouteConfig, EngineRoute>();
  readonly #folders = new Map<string, Promise<LocalRenderer>>();

  constructor(onMismatch: Engines["onMismatch"]) {
    this.onMismatch = onMismatch;
  }

  /**
   * Reads the vocabularies of routes before they are served.
   * @throws Error names a route whose `tokenizer` cannot be used
   */
  async open(llm_routes: Readonly<Record<string, RouteConfig>>): Promise<void> {
    for (const [model, route] of Object.entries(llm_routes)) {
      const { engine, tokenizer, continuity, thinking } = route;
      if (engine === null) continue;
      const local = tokenizer === null ? null : await this.#folder(model, tokenizer);
      this.#routes.set(route, {
        name: engine,
        renderer:
          local ?? new EngineRenderer((prompt, signal) => askRender(route, model, prompt, signal)),
        continuity: continuity === "off" ? null : { thinking },
      });
    }
  }

  /** Null: the route has no engine. */
  of(route: RouteConfig): EngineRoute | null {
    return route.engine === null ? null : (this.#routes.get(route) ?? null);
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

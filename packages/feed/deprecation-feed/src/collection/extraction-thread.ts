import { once } from "node:events";
import { Script } from "node:vm";
import { Worker } from "node:worker_threads";
import type { Notice, Provider } from "../notice/notice.ts";
import { providers } from "../providers/providers.ts";
import type { ExtractedPage, ExtractionAnswer, ExtractionRequest } from "./extraction-worker.ts";

export interface ExtractOptions {
  /** Milliseconds per page. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs extractors with a time limit, so that a page that an extractor cannot handle fails only its own provider. This
 * package's own extractors run on a thread, one page after the other. Other functions cannot be sent to a thread: they
 * run here, and are given up after the same time.
 */
export class ExtractionThread implements AsyncDisposable {
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws the extractor's error; an error when the time is up; the signal's reason */
  extract(provider: Provider, page: string, options: ExtractOptions): Promise<ExtractedPage> {
    const own = providers.find(({ extract }) => extract === provider.extract);
    const run = async (): Promise<ExtractedPage> => {
      options.signal?.throwIfAborted();
      return own === undefined
        ? extractHere(provider, page, options)
        : this.#extractThere({ slug: own.slug, page }, options);
    };
    const result = this.#last.then(run, run);
    this.#last = result;
    return result;
  }

  async #extractThere(
    request: ExtractionRequest,
    { timeoutMs, signal }: ExtractOptions,
  ): Promise<ExtractedPage> {
    this.#worker ??= startWorker();
    const worker = this.#worker;
    const late = AbortSignal.timeout(timeoutMs);
    const ended = signal === undefined ? late : AbortSignal.any([signal, late]);
    worker.postMessage(request);
    const reading: Promise<ExtractionAnswer[]> = once(worker, "message", { signal: ended });
    const [answer] = await reading.catch(async (error: unknown) => {
      // The thread is still busy with this page, or has crashed; the next page gets a new one.
      await this[Symbol.asyncDispose]();
      signal?.throwIfAborted();
      throw late.aborted ? outOfTime(timeoutMs) : error;
    });
    if (answer === undefined || "error" in answer) throw new Error(answer?.error);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

function startWorker(): Worker {
  const entry = new URL(import.meta.resolve("@proj/deprecation-feed/extraction-worker"));
  const worker = new Worker(entry, {
    name: "extraction",
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  worker.unref();
  return worker;
}

function extractHere(
  provider: Provider,
  page: string,
  { timeoutMs }: ExtractOptions,
): ExtractedPage {
  const context = { extract: () => provider.extract(page) };
  try {
    const notices: readonly Notice[] = new Script("extract()").runInNewContext(context, {
      timeout: timeoutMs,
    });
    // Only the package's own tools know which parts of a page they have not read.
    return { notices, lines: page.split("\n"), unread: [] };
  } catch (error) {
    const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
    throw code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? outOfTime(timeoutMs) : error;
  }
}

const outOfTime = (timeoutMs: number): Error =>
  new Error(`it did not finish within ${timeoutMs} ms`);

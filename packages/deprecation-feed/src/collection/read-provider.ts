import { FetchError } from "../fetching/fetch-error.ts";
import type { Validators } from "../fetching/fetch-text.ts";
import { fetchWithRetries, type RetryOptions } from "../fetching/fetch-with-retries.ts";
import type { Notice, Provider } from "../notice.ts";
import { whyRefused } from "./why-refused.ts";

export type Reading =
  | { readonly kind: "unchanged" }
  | { readonly kind: "read"; readonly rows: readonly Notice[]; readonly validators: Validators }
  | { readonly kind: "refused"; readonly reason: string };

/** Limits of one page's fetching; see `fetchText` and `fetchWithRetries` for the defaults. */
export type FetchLimits = Pick<
  RetryOptions,
  "timeoutMs" | "maxBytes" | "attempts" | "retryDelayMs"
>;

export interface ReadProviderOptions {
  readonly limits: FetchLimits;
  readonly userAgent: string;
  readonly signal: AbortSignal | undefined;
  /** Of the page that the known rows are from; null: read it, changed or not. */
  readonly validators: Validators | null;
  readonly modelsBefore: number;
}

/** Reads one provider's page. What goes wrong with it is an answer; only an abort is an error. */
export async function readProvider(
  provider: Provider,
  options: ReadProviderOptions,
): Promise<Reading> {
  const { limits, userAgent, signal, validators, modelsBefore } = options;
  try {
    const page = await fetchWithRetries(provider.source_url, {
      ...limits,
      userAgent,
      signal,
      validators,
      allowedHosts: provider.allowed_hosts,
      accept: "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5",
    });
    if (page === null) return { kind: "unchanged" };
    const rows = provider.extract(page.text);
    const reason = whyRefused(rows, modelsBefore);
    if (reason !== null) return { kind: "refused", reason };
    return {
      kind: "read",
      rows,
      validators: { etag: page.etag, last_modified: page.last_modified },
    };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof FetchError) return { kind: "refused", reason: error.message };
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "refused", reason: `its extractor failed: ${message}` };
  }
}

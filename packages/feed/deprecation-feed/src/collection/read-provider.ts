import { rollUp } from "../extraction/roll-up.ts";
import { FetchError } from "../fetching/fetch-error.ts";
import type { Validators } from "../fetching/fetch-text.ts";
import { fetchWithRetries, type RetryOptions } from "../fetching/fetch-with-retries.ts";
import type { Notice, Provider } from "../notice/notice.ts";
import type { ExtractionThread } from "./extraction-thread.ts";
import type { ExtractedPage } from "./extraction-worker.ts";
import { isCutHtml, tailOf } from "./page-end.ts";
import { type RowChange, rowChanges } from "./row-changes.ts";
import { type PageBefore, whyHeld, whyNoList } from "./why-refused.ts";

export type Reading =
  | { readonly kind: "unchanged" }
  | PageReading
  | { readonly kind: "refused"; readonly failure: "fetch"; readonly reason: string };

/** The content of a page, or why it is not published. */
export type PageReading =
  | { readonly kind: "read"; readonly rows: readonly Notice[]; readonly page: PageMarks }
  | {
      readonly kind: "refused";
      readonly failure: "page" | "change";
      readonly reason: string;
      readonly held_back?: readonly RowChange[];
    };

/** How the next run detects that the page has changed or is truncated. */
export interface PageMarks extends Validators {
  readonly tail: string;
}

/** Limits per page; `fetchText` and `fetchWithRetries` have the defaults for fetching. */
export interface FetchLimits
  extends Pick<RetryOptions, "timeoutMs" | "maxBytes" | "attempts" | "retryDelayMs"> {
  /** How long the extractor may take, in milliseconds. @default 10000 */
  readonly extractionMs?: number;
}

export interface ReadProviderOptions {
  readonly thread: ExtractionThread;
  readonly limits: FetchLimits;
  readonly userAgent: string;
  readonly signal: AbortSignal | undefined;
  /** Validators of the page that the known rows came from; null: read the page even if it is unchanged. */
  readonly validators: Validators | null;
  /** Null: accept any change. */
  readonly before: PageBefore | null;
}

/** Reads a provider's page. Failures are returned as an answer; only an abort is thrown. */
export async function readProvider(
  provider: Provider,
  options: ReadProviderOptions,
): Promise<Reading> {
  const { thread, limits, userAgent, signal, validators, before } = options;
  const { extractionMs: timeoutMs = 10_000, ...fetchLimits } = limits;
  try {
    const page = await fetchWithRetries(provider.source_url, {
      ...fetchLimits,
      userAgent,
      signal,
      validators,
      allowedHosts: provider.allowed_hosts,
      accept: "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5",
    });
    if (page === null) return { kind: "unchanged" };
    const { text, etag, last_modified } = page;
    const extracted = await thread.extract(provider, text, { timeoutMs, signal });
    return judgePage(text, extracted, before, { etag, last_modified });
  } catch (error) {
    signal?.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof FetchError) return { kind: "refused", failure: "fetch", reason: message };
    return { kind: "refused", failure: "page", reason: `its extractor failed: ${message}` };
  }
}

/** Decides whether the content of a page is published, given its previous content. */
export function judgePage(
  text: string,
  { notices, lines }: ExtractedPage,
  before: PageBefore | null,
  validators: Validators,
): PageReading {
  const tail = tailOf(text);
  const noList =
    whyNoList(notices) ?? (isCutHtml(text) && before !== null ? "the page is cut off" : null);
  if (noList !== null) return { kind: "refused", failure: "page", reason: noList };
  if (before !== null) {
    const listed = rollUp(notices);
    const held_back = rowChanges(before.listed, listed);
    const reason = whyHeld(before, { listed, lines, tail }, held_back);
    if (reason !== null) return { kind: "refused", failure: "change", reason, held_back };
  }
  return { kind: "read", rows: notices, page: { ...validators, tail } };
}

import { rollUp } from "../extraction/roll-up.ts";
import type { UnreadLine } from "../extraction/unread.ts";
import { FetchError } from "../fetching/fetch-error.ts";
import type { Validators } from "../fetching/fetch-text.ts";
import { fetchWithRetries, type RetryOptions } from "../fetching/fetch-with-retries.ts";
import type { CalendarDay, Notice, Provider } from "../notice/notice.ts";
import type { ExtractionThread } from "./extraction-thread.ts";
import type { ExtractedPage } from "./extraction-worker.ts";
import { type HeldRow, judgeRows } from "./judge-rows.ts";
import { isCut, tailOf } from "./page-end.ts";
import type { PageBefore } from "./page-states.ts";
import { whyNotThePage } from "./why-not-the-page.ts";

export type Reading =
  | { readonly kind: "unchanged" }
  | PageReading
  | { readonly kind: "refused"; readonly failure: "fetch"; readonly reason: string };

/** The content of a page, or why none of it is published. */
export type PageReading =
  | {
      readonly kind: "read";
      readonly rows: readonly Notice[];
      /** Changes that wait for a person. */
      readonly held: readonly HeldRow[];
      /** What could not be read. */
      readonly unread: readonly UnreadLine[];
      readonly lines: readonly string[];
      readonly page: PageMarks;
    }
  | { readonly kind: "refused"; readonly failure: "page"; readonly reason: string };

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
  readonly before: PageBefore;
  readonly judging: Judging;
}

export interface Judging {
  readonly today: CalendarDay;
  /** Whether the page is known to be right without any notices. @default false */
  readonly mayBeEmpty?: boolean;
  /** Whether a person has accepted the page, or one of its rows. */
  isAccepted(model_id?: string): boolean;
}

/** Reads a provider's page. Failures are returned as an answer; only an abort is thrown. */
export async function readProvider(
  provider: Provider,
  options: ReadProviderOptions,
): Promise<Reading> {
  const { thread, limits, userAgent, signal, validators, before, judging } = options;
  const { extractionMs: timeoutMs = 10_000, ...fetchLimits } = limits;
  try {
    const answer = await fetchWithRetries(provider.source_url, {
      ...fetchLimits,
      userAgent,
      signal,
      validators,
      allowedHosts: provider.allowed_hosts,
      accept: "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5",
    });
    if (answer === null) return { kind: "unchanged" };
    const { text, etag, last_modified } = answer;
    const extracted = await thread.extract(provider, text, { timeoutMs, signal });
    const page = { etag, last_modified, tail: tailOf(text) };
    const mayBeEmpty = provider.emptyPage?.test(text) ?? false;
    return judgePage(text, extracted, before, page, { ...judging, mayBeEmpty });
  } catch (error) {
    signal?.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof FetchError) return { kind: "refused", failure: "fetch", reason: message };
    return { kind: "refused", failure: "page", reason: `its extractor failed: ${message}` };
  }
}

/** Decides what of a page is published, given its previous content. */
export function judgePage(
  text: string,
  { notices, lines, unread }: ExtractedPage,
  before: PageBefore,
  page: PageMarks,
  { today, mayBeEmpty = false, isAccepted }: Judging,
): PageReading {
  const listed = rollUp(notices);
  const now = { listed, lines, tail: page.tail, today };
  const reason = isCut(text) ? "the page is cut off" : whyNotThePage(before, now, mayBeEmpty);
  if (reason !== null && !(isAccepted() && listed.length > 0))
    return { kind: "refused", failure: "page", reason };
  const { rows, held } = judgeRows(before, now, isAccepted);
  return { kind: "read", rows, held, unread, lines, page };
}

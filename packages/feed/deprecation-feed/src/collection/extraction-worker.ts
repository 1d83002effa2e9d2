// The entry module of the thread that runs extractors.
import { parentPort } from "node:worker_threads";
import { linesOf, readPage } from "../extraction/page.ts";
import { type UnreadLine, unreadLines } from "../extraction/unread.ts";
import type { Notice } from "../notice/notice.ts";
import { providers } from "../providers/providers.ts";

export interface ExtractionRequest {
  readonly slug: string;
  readonly page: string;
}

export interface ExtractedPage {
  readonly notices: readonly Notice[];
  /** The text of the page: one line per paragraph, list item and table row. */
  readonly lines: readonly string[];
  /** What the notices do not cover. */
  readonly unread: readonly UnreadLine[];
}

/** The extracted page, or why it could not be read. */
export type ExtractionAnswer = ExtractedPage | { readonly error: string };

parentPort?.on("message", (request: ExtractionRequest) => {
  parentPort?.postMessage(answer(request));
});

function answer({ slug, page }: ExtractionRequest): ExtractionAnswer {
  try {
    const provider = providers.find((candidate) => candidate.slug === slug);
    if (provider === undefined) return { error: `there is no provider '${slug}'` };
    const notices = provider.extract(page);
    const read = readPage(page);
    return { notices, lines: read.sections.flatMap(linesOf), unread: unreadLines(read, notices) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

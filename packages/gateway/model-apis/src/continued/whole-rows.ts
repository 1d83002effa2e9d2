import { isJsonObject, objectOf, parsedObject } from "../json/json-object.ts";
import { continued, type RowTexts, type WholeRow } from "./continued.ts";

/** Reads an earlier row of the same session; null: there is none. */
export type ReadRow = (request_id: string) => Promise<RowTexts | null>;

/** How many characters of whole histories are kept, so that a conversation's next row need not read them again. */
const maxCharacters = 16 * 1024 * 1024;

/**
 * Reads rows with the history that their requests named and did not repeat. What was read last is kept, within a
 * bound: the next row usually continues it.
 */
export class WholeRows {
  /** Least recently used first. */
  readonly #kept = new Map<string, WholeRow>();
  readonly #max: number;
  #characters = 0;

  constructor(max: number = maxCharacters) {
    this.#max = max;
  }

  /** The row itself if its request is whole. @throws what `readRow` throws */
  async of(row: RowTexts, readRow: ReadRow): Promise<WholeRow> {
    const links = [row];
    const seen = new Set([row.request_id]);
    let whole: WholeRow | null = null;
    let isPartial = false;
    for (let link = row; ; ) {
      const meta = parsedObject(link.meta_json);
      isPartial = meta.history === "partial";
      const { request_id } = objectOf(meta.continues);
      if (isPartial || typeof request_id !== "string") break;
      whole = this.#kept.get(request_id) ?? null;
      if (whole !== null) break;
      const earlier = seen.has(request_id) ? null : await readRow(request_id);
      isPartial = earlier === null;
      if (earlier === null) break;
      seen.add(request_id);
      links.push(earlier);
      link = earlier;
    }
    for (const link of links.reverse())
      whole = whole === null ? { ...textsOf(link), isPartial } : continued(whole, link);
    const found = whole ?? { ...textsOf(row), isPartial };
    if (continuesAny(row)) this.keep(found);
    return found;
  }

  /** Keeps a row that a later one may continue. */
  keep(row: WholeRow): void {
    this.#drop(row.request_id);
    this.#kept.set(row.request_id, row);
    this.#characters += charactersOf(row);
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= this.#max) break;
      this.#drop(oldest);
    }
  }

  #drop(request_id: string): void {
    const row = this.#kept.get(request_id);
    if (row === undefined) return;
    this.#kept.delete(request_id);
    this.#characters -= charactersOf(row);
  }
}

const charactersOf = ({ request, messages, response }: WholeRow): number =>
  (request?.length ?? 0) + (messages?.length ?? 0) + (response?.length ?? 0);

const continuesAny = ({ meta_json }: RowTexts): boolean =>
  isJsonObject(parsedObject(meta_json).continues);

const textsOf = ({ request_id, meta_json, request, messages, response }: RowTexts): RowTexts => {
  return { request_id, meta_json, request, messages, response };
};

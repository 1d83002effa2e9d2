import { canonicalName } from "../notice/model-names.ts";
import type { CalendarDay, Notice } from "../notice/notice.ts";
import { explainsNoDay } from "./date-cells.ts";

/** What the notices of a page cover: their ids and days, to find what they do not. */
export class ReadModels {
  /** By id and alias, and by the names that these begin with: `gpt-5` for `gpt-5-2025-08-07`. */
  readonly #byId = new Map<string, Notice[]>();
  readonly #byBeginning = new Map<string, Notice[]>();
  readonly #bySection = new Map<string, Notice[]>();
  readonly #byCell = new Map<string, Notice[]>();
  readonly #replacements = new Set<string>();

  constructor(notices: readonly Notice[]) {
    for (const notice of notices) {
      for (const id of [notice.model_id, ...notice.aliases]) {
        append(this.#byId, canonicalName(id), notice);
        for (const name of beginningsOf(id)) append(this.#byBeginning, name, notice);
      }
      append(this.#bySection, notice.anchor, notice);
      for (const cell of cellsIn(notice)) append(this.#byCell, cell, notice);
      for (const id of notice.replacement_models) this.#replacements.add(canonicalName(id));
    }
  }

  named(id: string): readonly Notice[] {
    const name = canonicalName(id);
    return this.#byId.get(name) ?? this.#byBeginning.get(name) ?? [];
  }

  isReplacement(id: string): boolean {
    return this.#replacements.has(canonicalName(id));
  }

  /** The notices that were read from a section, or from a row with this cell. */
  inSection(anchor: string): readonly Notice[] {
    return this.#bySection.get(anchor) ?? [];
  }

  fromCell(text: string): readonly Notice[] {
    return this.#byCell.get(text) ?? [];
  }
}

export type DayField = (typeof dayFields)[number];
const dayFields = [
  "announcement_date",
  "deprecation_date",
  "shutdown_date",
  "earliest_shutdown_date",
] as const;

/** Whether notices give a day in one of these fields. */
export const give = (
  notices: readonly Notice[],
  day: CalendarDay,
  fields: readonly DayField[] = dayFields,
): boolean => notices.some((notice) => fields.some((field) => notice[field] === day));

/** Whether notices quote words instead of a date that say why there is none. */
export const quote = (notices: readonly Notice[], text: string): boolean =>
  explainsNoDay(text) && notices.some(({ shutdown_text }) => shutdown_text.includes(text));

function beginningsOf(id: string): readonly string[] {
  const parts = canonicalName(id).split("-");
  return parts
    .map((_, index) => parts.slice(0, index + 1).join("-"))
    .filter((name, index) => index > 0 || /\d/.test(name) || parts.length === 1);
}

/** The cells of the row that a notice quotes. */
function cellsIn({ source_text }: Notice): readonly string[] {
  const row = source_text.slice(source_text.lastIndexOf("\n") + 1);
  return row.split(" | ").map((cell) => cell.slice(cell.indexOf(": ") + 2));
}

function append(map: Map<string, Notice[]>, key: string, notice: Notice): void {
  const notices = map.get(key);
  if (notices === undefined) map.set(key, [notice]);
  else if (notices.at(-1) !== notice) notices.push(notice);
}

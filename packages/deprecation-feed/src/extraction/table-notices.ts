import type { CalendarDay, Notice } from "../notice.ts";
import { type Column, columnsOf, type Meaning } from "./columns.ts";
import { type DatedText, earliest, isBound, plainDashes, readDateCell } from "./dates.ts";
import { nameOf, readModelIds, readReplacements } from "./id-cells.ts";
import { saysEnded, saysOpenEnd, shutdownInHeadings, speaksOfEnd } from "./lifecycle-words.ts";
import { isModelId } from "./model-ids.ts";
import { noticesFor } from "./new-notice.ts";
import type { Page, Section } from "./page.ts";
import { plainText, type Words } from "./words.ts";

export interface TableRules {
  /** When the models of a section's tables were announced to end. @default unknown */
  readonly announcement?: (section: Section) => CalendarDay;
  /** Headings of columns that hold ids, besides those that speak of models. */
  readonly idColumn?: RegExp;
  /** Finds the id in the address that a model's name links to: its first group. */
  readonly idOfLink?: RegExp;
  /** Whether a name is taken for an id where the page has no id. @default false */
  readonly acceptsNames?: boolean;
}

interface Cell extends Column {
  readonly words: Words;
}

/** Such tables have models whose training ends, unless an id is that of a fine-tuned model. */
const fineTuning = /^(?:[\d-]+: )?fine-?tun/i;
const fineTunedId = /^ft[-:]/;
/** Azure has versions in a column of their own; as an id, model and version are one. */
const datedVersion = /^\d{4}-\d{2}-\d{2}|^\d{4}$/;

/** A notice for every model of every table that says something of its end. */
export function noticesFromTables({ sections }: Page, rules: TableRules = {}): readonly Notice[] {
  return sections.flatMap((section) => {
    const tables = section.blocks.filter((block) => block.kind === "table");
    const isUnderEnd = section.headings.some(({ text }) => speaksOfEnd(text));
    return tables.flatMap(({ grid }) => {
      const context = {
        speaksOfEnd: isUnderEnd || grid.headings.some(saysEnded),
        idColumn: rules.idColumn,
      };
      const columns = columnsOf(grid.headings, context);
      return grid.rows.flatMap((row) => {
        const missing = grid.headings.length - row.length;
        return readRow(cellsOf(row, columns, leadingGap(row, columns, missing)), section, rules);
      });
    });
  });
}

/**
 * How many of a row's missing cells are missing at its beginning, as where a row span ends too
 * early: so many that an id stands where ids should.
 */
function leadingGap(row: readonly Words[], columns: readonly Column[], missing: number): number {
  const idColumn = columns.find(({ meaning }) => meaning === "model")?.index ?? 0;
  for (let gap = 0; gap <= missing; gap++) {
    if (readModelIds(row[idColumn - gap]?.text ?? "").length > 0) return gap;
  }
  return 0;
}

function cellsOf(row: readonly Words[], columns: readonly Column[], gap: number): readonly Cell[] {
  return columns.flatMap((column) => {
    const words = row[column.index - gap];
    return words === undefined || words.text === "" ? [] : [{ ...column, words }];
  });
}

function readRow(cells: readonly Cell[], section: Section, rules: TableRules): readonly Notice[] {
  const those = (meaning: Meaning): readonly Cell[] =>
    cells.filter((cell) => cell.meaning === meaning);
  const dated = (meaning: Meaning): CalendarDay =>
    earliest(those(meaning).map((cell) => readDate(cell).day));
  const announcement_date = dated("announcement") || (rules.announcement?.(section) ?? "");
  const deprecation_date = dated("deprecation");
  const shutdown = those("shutdown").map(readDate);
  const shutdown_date =
    shutdown.length === 0 ? shutdownInHeadings(section) : earliest(shutdown.map(({ day }) => day));
  const shutdown_text = shutdown_date === "" ? (shutdown[0]?.text ?? "") : "";
  const replacement_models = those("replacement").flatMap(({ words }) =>
    readReplacements(words.text),
  );
  const regions = those("regions").flatMap(({ words }) => readRegions(words));

  const saysSomething =
    `${announcement_date}${deprecation_date}${shutdown_date}` !== "" ||
    replacement_models.length > 0 ||
    saysOpenEnd(shutdown_text) ||
    those("status").some(({ words }) => saysEnded(words.text)) ||
    those("model").some(({ heading }) => saysEnded(heading)) ||
    saysEnded(section.headings.at(-1)?.text ?? "");
  if (!saysSomething) return [];
  const ids = readIds(cells, rules).filter((id) => isMeant(id, section));
  const end = { announcement_date, deprecation_date, shutdown_date, shutdown_text };
  const words = [...cells]
    .sort((a, b) => a.index - b.index)
    .map(({ heading, words }) => `${heading}: ${plainText(words)}`);
  return noticesFor(ids, { ...end, replacement_models, regions }, section, words.join(" | "));
}

/** A heading such as "Retirement date (not sooner than)" makes bounds of all its dates. */
function readDate({ heading, words }: Cell): DatedText {
  const text = plainText(words);
  return isBound(heading) ? { day: "", text } : readDateCell(text);
}

function readRegions(words: Words): readonly string[] {
  const regions = plainDashes(plainText(words)).split(/\s*[,;\n]\s*|\s+and\s+/);
  return regions.filter((region) => region !== "" && !/^(?:all|global)\b/i.test(region));
}

function readIds(cells: readonly Cell[], rules: TableRules): readonly string[] {
  const models = cells.filter(({ meaning }) => meaning === "model").map(({ words }) => words);
  const written = models.map(({ text }) => readModelIds(text)).find((ids) => ids.length > 0);
  if (written !== undefined) return written.map((id) => withVersion(id, cells));
  const linked = models.flatMap(({ links }) =>
    links.map((address) => rules.idOfLink?.exec(address)?.[1] ?? ""),
  );
  const id = linked.find(isModelId);
  if (id !== undefined) return [id];
  return rules.acceptsNames === true ? models.flatMap(({ text }) => nameOf(text)).slice(0, 1) : [];
}

function withVersion(id: string, cells: readonly Cell[]): string {
  const version = plainDashes(cells.find(({ meaning }) => meaning === "version")?.words.text ?? "");
  return datedVersion.test(version) && !id.endsWith(version) ? `${id}-${version}` : id;
}

const isMeant = (id: string, { headings }: Section): boolean =>
  fineTunedId.test(id) || !fineTuning.test(headings.at(-1)?.text ?? "");

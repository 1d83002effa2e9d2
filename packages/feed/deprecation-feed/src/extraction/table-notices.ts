import type { CalendarDay, Notice, PageState } from "../notice/notice.ts";
import { type Column, columnsOf, type Meaning } from "./columns.ts";
import type { DateOrder } from "./date-order.ts";
import {
  type DatedText,
  earliest,
  firstDay,
  isBound,
  isLowerBound,
  plainDashes,
  readDateCell,
} from "./dates.ts";
import { nameOf, readModelIds, readReplacements } from "./id-cells.ts";
import { idsByName, nameKey } from "./ids-by-name.ts";
import {
  type End,
  endInSentence,
  noEnd,
  saysEnded,
  saysNoDate,
  saysOpenEnd,
  shutdownInHeadings,
  speaksOfEnd,
  stateIn,
} from "./lifecycle-words.ts";
import { isModelId, regionsNamed } from "./model-ids.ts";
import { noticesFor } from "./new-notice.ts";
import { type Page, type Section, sentencesOf } from "./page.ts";
import { plainText, type Words } from "./words.ts";

export interface TableRules {
  /** When the end of the models in a section's tables was announced. @default unknown */
  readonly announcement?: (section: Section) => CalendarDay;
  /** Headings of columns with ids, in addition to those that mention models. */
  readonly idColumn?: RegExp;
  /** Finds the id in the link of a model's name: its first group. */
  readonly idOfLink?: RegExp;
  /** Whether a name serves as the id if the page has none. @default false */
  readonly acceptsNames?: boolean;
  /** Whether the page uses "deprecation" for the day when calls begin to fail. @default false */
  readonly deprecationEnds?: boolean;
  /** Whether the text before a table gives the day for rows that only say "deprecated". @default false */
  readonly leadInEnds?: boolean;
}

interface Cell extends Column {
  readonly words: Words;
}

/** Such tables are about the end of training, unless an id is that of a fine-tuned model. */
const fineTuning = /^(?:[\d-]+: )?fine-?tun/i;
const fineTunedId = /^ft[-:]/;
/** Azure has a separate column for versions; the id consists of model and version. */
const datedVersion = /^\d{4}-\d{2}-\d{2}|^\d{4}$/;

/** A notice for every model in tables that mention its end. */
export function noticesFromTables(page: Page, rules: TableRules = {}): readonly Notice[] {
  const { sections } = page;
  const knownIds = rules.acceptsNames === true ? idsByName(page) : noIds;
  return sections.flatMap((section) => {
    const isUnderEnd = section.headings.some(({ text }) => speaksOfEnd(text));
    return section.blocks.flatMap((block, index) => {
      if (block.kind !== "table") return [];
      const { grid } = block;
      const before = section.blocks[index - 1];
      const leadIn = before?.kind === "paragraph" ? before.words.text : "";
      const isLedIn = rules.leadInEnds === true && grid.rows.every(rowSaysEnded);
      const end = isLedIn ? endBefore(index, section) : noEnd;
      const context = {
        above: [section.headings.at(-1)?.text ?? "", leadIn],
        tells: end !== noEnd,
        speaksOfEnd: isUnderEnd || grid.headings.some(saysEnded),
        idColumn: rules.idColumn,
      };
      const found = columnsOf(grid.headings, context);
      const columns = rules.deprecationEnds === true ? withDeprecationAsEnd(found) : found;
      return grid.rows.flatMap((row) => {
        const missing = grid.headings.length - row.length;
        return readRow(
          cellsOf(row, columns, leadingGap(row, columns, missing)),
          section,
          rules,
          knownIds,
          end,
        );
      });
    });
  });
}

/** A table that also has a shutdown column means something else by deprecation. */
function withDeprecationAsEnd(columns: readonly Column[]): readonly Column[] {
  if (columns.some(({ meaning }) => meaning === "shutdown")) return columns;
  return columns.map((column) =>
    column.meaning === "deprecation" ? { ...column, meaning: "shutdown" } : column,
  );
}

/**
 * How many of a row's missing cells are missing at its start, as when a row span ends too early: the number that puts
 * an id into a column of ids.
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

const rowSaysEnded = (row: readonly Words[]): boolean => row.some(({ text }) => saysEnded(text));

/** The end according to the nearest sentence before a block of a section. */
function endBefore(index: number, { blocks, dateOrder }: Section): End {
  const ends = sentencesOf(blocks.slice(0, index)).map((sentence) =>
    endInSentence(sentence, dateOrder),
  );
  return ends.findLast((end) => end !== undefined) ?? noEnd;
}

const noIds: ReadonlyMap<string, string> = new Map();

function readRow(
  cells: readonly Cell[],
  section: Section,
  rules: TableRules,
  knownIds: ReadonlyMap<string, string>,
  leadInEnd: End,
): readonly Notice[] {
  const those = (meaning: Meaning): readonly Cell[] =>
    cells.filter((cell) => cell.meaning === meaning);
  const dated = (meaning: Meaning): CalendarDay =>
    earliest(those(meaning).map((cell) => readDate(cell, section.dateOrder).day));
  const announcement_date = dated("announcement") || (rules.announcement?.(section) ?? "");
  const deprecation_date = dated("deprecation");
  const shutdown = those("shutdown").map((cell) => readDate(cell, section.dateOrder));
  const shutdown_date =
    shutdown.length === 0
      ? leadInEnd.shutdown_date || shutdownInHeadings(section)
      : earliest(shutdown.map(({ day }) => day));
  const shutdown_text = shutdown_date === "" ? (shutdown[0]?.text ?? "") : "";
  const earliest_shutdown_date =
    shutdown_date === "" ? earliest(shutdown.map((date) => date.earliest)) : "";
  const replacement_models = those("replacement").flatMap(({ words }) =>
    readReplacements(words.text),
  );
  const regional = those("regions").flatMap(({ words }) => readRegions(words));
  const dateCells = [...those("shutdown"), ...those("deprecation")];
  const regions =
    regional.length > 0
      ? regional
      : [...new Set(dateCells.flatMap(({ words }) => regionsNamed(words.text)))];

  const saysSomething =
    `${announcement_date}${deprecation_date}${shutdown_date}` !== "" ||
    replacement_models.length > 0 ||
    saysOpenEnd(shutdown_text) ||
    those("status").some(({ words }) => saysEnded(words.text)) ||
    those("model").some(({ heading }) => saysEnded(heading)) ||
    saysEnded(section.headings.at(-1)?.text ?? "");
  if (!saysSomething) return [];
  const ids = readIds(cells, rules, knownIds).filter((id) => isMeant(id, section));
  const heading = section.headings.at(-1)?.text ?? "";
  const isOnTheWayOut =
    announcement_date !== "" ||
    deprecation_date !== "" ||
    [heading, ...those("model").map((cell) => cell.heading)].some(saysEnded);
  const hasOpenEnd = shutdown.some(({ text }) => saysNoDate(text) || isLowerBound(text));
  const state: PageState =
    stateIn(those("status")[0]?.words.text ?? "") ||
    // A table of "Available models" may contain models that end soon.
    (saysEnded(heading) ? stateIn(heading) : "") ||
    (hasOpenEnd && !isOnTheWayOut ? "active" : "");
  const end = {
    announcement_date,
    deprecation_date,
    shutdown_date,
    earliest_shutdown_date,
    state,
    shutdown_text,
  };
  const words = [...cells]
    .sort((a, b) => a.index - b.index)
    .map(({ heading, words }) => `${heading}: ${plainText(words)}`);
  return noticesFor(ids, { ...end, replacement_models, regions }, section, words.join(" | "));
}

/** A heading such as "Retirement date (not sooner than)" turns all its dates into bounds. */
function readDate({ heading, words }: Cell, order: DateOrder): DatedText {
  const text = plainText(words);
  if (!isBound(heading)) return readDateCell(text, order);
  const first = isLowerBound(heading) ? firstDay(text, order) : "";
  return { day: "", earliest: first, text };
}

function readRegions(words: Words): readonly string[] {
  const regions = plainDashes(plainText(words)).split(/[,;\n]|\sand\s/);
  return regions
    .map((region) => region.trim())
    .filter((region) => region !== "" && !/^(?:all|global)\b/i.test(region));
}

function readIds(
  cells: readonly Cell[],
  rules: TableRules,
  knownIds: ReadonlyMap<string, string>,
): readonly string[] {
  const models = cells.filter(({ meaning }) => meaning === "model").map(({ words }) => words);
  const written = models.map(({ text }) => readModelIds(text)).find((ids) => ids.length > 0);
  if (written !== undefined) return written.map((id) => withVersion(id, cells));
  const linked = models.flatMap(({ links }) =>
    links.map((address) => rules.idOfLink?.exec(address)?.[1] ?? ""),
  );
  const id = linked.find(isModelId);
  if (id !== undefined) return [id];
  if (rules.acceptsNames !== true) return [];
  const [name] = models.flatMap(({ text }) => nameOf(text));
  return name === undefined ? [] : [knownIds.get(nameKey(name)) ?? name];
}

function withVersion(id: string, cells: readonly Cell[]): string {
  const version = plainDashes(cells.find(({ meaning }) => meaning === "version")?.words.text ?? "");
  return datedVersion.test(version) && !id.endsWith(version) ? `${id}-${version}` : id;
}

const isMeant = (id: string, { headings }: Section): boolean =>
  fineTunedId.test(id) || !fineTuning.test(headings.at(-1)?.text ?? "");

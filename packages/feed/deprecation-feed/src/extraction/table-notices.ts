import type { CalendarDay, Notice, PageState } from "../notice/notice.ts";
import { type Column, columnsOf, type Meaning } from "./columns.ts";
import { type DatedText, isWithdrawn, readDateCell } from "./date-cells.ts";
import type { DateOrder } from "./date-order.ts";
import { earliest, firstDay, isBound, isLowerBound, plainDashes } from "./dates.ts";
import { leadingGap, nameOf, readModelIds, readReplacements } from "./id-cells.ts";
import { idsByName, nameKey } from "./ids-by-name.ts";
import {
  type End,
  endInSentence,
  noEnd,
  saysEnded,
  saysNoDate,
  saysOpenEnd,
  shutdownInHeadings,
  stateIn,
} from "./lifecycle-words.ts";
import { isModelId, regionsNamed } from "./model-ids.ts";
import { noticesFor } from "./new-notice.ts";
import { type Page, type Section, sentencesOf } from "./page.ts";
import { isFineTuning, subjectAbove } from "./subject.ts";
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

const fineTunedId = /^ft[-:]/;
/** Azure has a separate column for versions; the id consists of model and version. */
const datedVersion = /^\d{4}-\d{2}-\d{2}|^\d{4}$/;

/** A notice for every model in tables that mention its end. */
export function noticesFromTables(page: Page, rules: TableRules = {}): readonly Notice[] {
  const { sections } = page;
  const knownIds = rules.acceptsNames === true ? idsByName(page) : noIds;
  return sections.flatMap((section) => {
    return section.blocks.flatMap((block, index) => {
      if (block.kind !== "table") return [];
      const { grid } = block;
      const before = section.blocks[index - 1];
      const leadIn = before?.kind === "paragraph" ? before.words.text : "";
      const isLedIn = rules.leadInEnds === true && grid.rows.every(rowSaysEnded);
      const end = isLedIn ? endBefore(index, section) : noEnd;
      const subject = subjectAbove(section, leadIn);
      const context = {
        tells: end !== noEnd,
        speaksOfEnd: subject === "ending" || grid.headings.some(saysModelsEnd),
        idColumn: rules.idColumn,
      };
      const found = subject === "other" ? [] : columnsOf(grid.headings, context);
      const columns = rules.deprecationEnds === true ? withDeprecationAsEnd(found) : found;
      return grid.rows.flatMap((row) => {
        const idColumn = columns.find(({ meaning }) => meaning === "model")?.index ?? 0;
        return readRow(
          cellsOf(row, columns, leadingGap(row, idColumn, grid.headings.length)),
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

function cellsOf(row: readonly Words[], columns: readonly Column[], gap: number): readonly Cell[] {
  return columns.flatMap((column) => {
    const words = row[column.index - gap];
    return words === undefined || words.text === "" ? [] : [{ ...column, words }];
  });
}

const saysModelsEnd = (heading: string): boolean =>
  /\bmodels?\b/i.test(heading) && saysEnded(heading);
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
    isWithdrawn(shutdown_text) ||
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
    (isWithdrawn(shutdown_text) ? "withdrawn" : "") ||
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

const isMeant = (id: string, section: Section): boolean =>
  fineTunedId.test(id) || !isFineTuning(section);

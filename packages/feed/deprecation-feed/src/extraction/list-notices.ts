import type { CalendarDay, Notice } from "../notice/notice.ts";
import { codeSpans, readModelIds } from "./id-cells.ts";
import { endInSentence, noEnd, speaksOfEnd } from "./lifecycle-words.ts";
import { isTellingId, tidyId } from "./model-ids.ts";
import { noticesFor } from "./new-notice.ts";
import { type Block, type ListItem, type Page, type Section, sentencesOf } from "./page.ts";

export interface ListRules {
  /** When the end of a section's models was announced. @default unknown */
  readonly announcement?: (section: Section) => CalendarDay;
  /** Whether the text around a list recommends replacements for its models. @default false */
  readonly hasAlternatives?: boolean;
}

/** What a list contains, according to the text before it. */
type Subject = "ending" | "alternatives" | "other";

interface ListedModel {
  readonly ids: readonly string[];
  readonly item: string;
  /** The paragraph before the list. */
  readonly leadIn: string;
}

/** A notice for every model in a list of ending models. */
export function noticesFromLists({ sections }: Page, rules: ListRules = {}): readonly Notice[] {
  return sections.flatMap((section) => {
    const { ending, alternatives } = readLists(section);
    const sentences = sentencesOf(section.blocks);
    const announcement_date = rules.announcement?.(section) ?? "";
    return ending.flatMap(({ ids, item, leadIn }) => {
      const nearest = sentences.filter((sentence) => leadIn.includes(sentence));
      const ends = [item, ...nearest, ...sentences].map((words) =>
        endInSentence(words, section.dateOrder),
      );
      const end = ends.find((found) => found !== undefined) ?? noEnd;
      const replacement_models =
        rules.hasAlternatives === true ? alternativesTo(ids, ending, alternatives) : [];
      const facts = { announcement_date, ...end, replacement_models };
      return noticesFor(ids, facts, section, `${leadIn}\n${item}`.replaceAll("`", "").trim());
    });
  });
}

interface Lists {
  readonly ending: readonly ListedModel[];
  readonly alternatives: readonly string[];
}

function readLists({ headings, blocks }: Section): Lists {
  const ending: ListedModel[] = [];
  const alternatives: string[] = [];
  let subject = subjectOf(headings.at(-1)?.text ?? "", "other");
  let leadIn = "";
  for (const block of blocks) {
    if (block.kind === "paragraph") {
      leadIn = block.words.text;
      subject = subjectOf(leadIn, subject);
    }
    if (subject === "alternatives") alternatives.push(...codesIn(block));
    if (subject === "ending" && block.kind === "list")
      ending.push(...modelsIn(block.items).map((model) => ({ ...model, leadIn })));
  }
  return { ending, alternatives };
}

/** Short labels ("Chat models") do not change the subject. */
function subjectOf(text: string, before: Subject): Subject {
  const leadIn = text.split(/(?<=[.!?])\s+/).at(-1) ?? "";
  if (/recommend|encourage|replace|alternativ|migrat|instead/i.test(leadIn)) return "alternatives";
  if (speaksOfEnd(leadIn))
    return /\bmodels?\b/i.test(leadIn) && !/fine-?tun/i.test(leadIn) ? "ending" : "other";
  return leadIn.split(" ").length <= 5 && !/[.!?]$/.test(leadIn) ? before : "other";
}

/** An item about something other than a model may contain a list of models. */
function modelsIn(items: readonly ListItem[]): readonly Omit<ListedModel, "leadIn">[] {
  return items.flatMap(({ words, lists }) => {
    const [start = ""] = words.text.split(/\s[-–—]\s|:\s/);
    const ids = readModelIds(start);
    return ids.length > 0 ? [{ ids, item: words.text }] : lists.flatMap(modelsIn);
  });
}

function codesIn(block: Block): readonly string[] {
  const inItems = (items: readonly ListItem[]): readonly string[] =>
    items.flatMap(({ words, lists }) => [...codeSpans(words.text), ...lists.flatMap(inItems)]);
  if (block.kind === "table") return [];
  const codes = block.kind === "list" ? inItems(block.items) : codeSpans(block.words.text);
  return codes.map(tidyId).filter(isTellingId);
}

/**
 * From a section's recommendations: the models of the same family, or else those of families without an ending model. A
 * section about embeddings and chat recommends models for both.
 */
function alternativesTo(
  ids: readonly string[],
  ending: readonly ListedModel[],
  alternatives: readonly string[],
): readonly string[] {
  const own = new Set(ids.map(family));
  const all = new Set(ending.flatMap((model) => model.ids.map(family)));
  const same = alternatives.filter((id) => own.has(family(id)));
  const found = same.length > 0 ? same : alternatives.filter((id) => !all.has(family(id)));
  return [...new Set(found)];
}

const family = (id: string): string => id.split(/[-.:/@]/)[0] ?? id;

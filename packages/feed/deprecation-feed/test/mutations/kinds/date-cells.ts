import { parse } from "parse5";
import {
  inEnglish,
  type Mutation,
  onDocument,
  setHtml,
  targetIn,
  unclear,
  withEnd,
} from "../mutation.ts";

const newDay = "2028-02-29";
const written = (day: string): string => inEnglish(day, { dateStyle: "long" });

type Around = (page: string) => string;

/** What a row says of its end: the day that it had, another one, or no day that a reader could be sure of. */
const said = { same: null, moved: newDay, gone: unclear } as const;

/** One date is written in another way; `OLD` and `NEW` stand for days. */
const oneDate = (
  says: keyof typeof said,
  html: string,
  around: Around = (page) => page,
): Mutation => ({
  group: `one date: ${says}`,
  name: html === "" ? "empty" : html,
  mutate(page, ends) {
    const changed = onDocument((document) => {
      const target = targetIn(document, ends);
      const words = (day: string): string =>
        html.replaceAll("OLD", written(day)).replaceAll("NEW", written(newDay));
      if (target !== undefined) setHtml(target.date, words(target.day));
    })(page, ends);
    return changed === page ? page : around(changed);
  },
  truth(ends, page) {
    const target = targetIn(parse(page), ends);
    const end = said[says];
    return target === undefined || end === null ? ends : withEnd(ends, target.ids, end);
  },
});

const style =
  (css: string): Around =>
  (page) =>
    `<style>${css}</style>${page}`;
const note =
  (html: string): Around =>
  (page) =>
    page.replaceAll("</table>", `</table>${html.replace("NEW", written(newDay))}`);

const same = [
  "OLD (UTC)",
  "OLD, 00:00 UTC",
  "on OLD",
  "OLD.",
  "<b>OLD</b>",
  "<code>OLD</code>",
  "OLD at 12:00 PM PT",
  "Retires on OLD",
  "<span>OLD</span>",
  "<a href='#x'>OLD</a>",
  "OLD<br>",
  "&nbsp;OLD&nbsp;",
  "<time>OLD</time>",
  "<p>OLD</p>",
];
const moved = [
  "<del>OLD</del> NEW",
  "<s>OLD</s> NEW",
  "<strike>OLD</strike> NEW",
  "NEW <del>OLD</del>",
  "<span style='text-decoration: line-through'>OLD</span> NEW",
  "<span style='text-decoration-line:line-through'>OLD</span> NEW",
  "<time style='text-decoration:line-through' datetime='2027-01-01'>OLD</time> NEW",
  "<span class='line-through'>OLD</span> NEW",
  "<span class='strikethrough'>OLD</span> NEW",
  "<span class='text-strike'>OLD</span> NEW",
  "<i><del>OLD</del></i> NEW",
  "<span hidden>OLD</span> NEW",
  "<span style='display:none'>OLD</span> NEW",
  "OLD, extended to NEW",
  "OLD (postponed until NEW)",
  "OLD → NEW",
  "NEW (was OLD)",
  "NEW (originally OLD)",
  "NEW (previously OLD)",
  "NEW; previously announced as OLD",
  "NEW (original date: OLD)",
  "Originally OLD; now NEW",
  "Moved from OLD to NEW",
  "Rescheduled from OLD to NEW",
  "NEW instead of OLD",
  "NEW, formerly OLD",
  "New date: NEW (old date: OLD)",
  "Date changed from OLD to NEW",
  "NEW",
];
const gone = [
  "No longer planned (was OLD)",
  "No longer scheduled (previously OLD)",
  "Extended indefinitely (original date: OLD)",
  "OLD (cancelled)",
  "OLD – on hold",
  "Postponed (was OLD)",
  "Suspended until further notice",
  "Withdrawn; originally OLD",
  "<del>OLD</del>",
  "<span style='text-decoration:line-through'>OLD</span>",
  "TBD",
  "TBD (was OLD)",
  "To be announced",
  "Not sooner than OLD",
  "OLD or later",
  "after OLD",
  "before OLD",
  "around OLD",
  "~ OLD",
  "expected OLD",
  "OLD (tentative)",
  "OLD (extended)",
  "OLD, subject to change",
  "OLD?",
  "next spring",
  "soon",
  "in three months",
  "mid-2027",
  "Q4 2027",
  "June 2027",
  "”",
  "—",
  "",
  "N/A",
  "see the blog",
  "January 1, 1970",
  "December 31, 9999",
  "December 31, 2099",
  "OLD*",
  "OLD<sup>1</sup>",
  "OLD and NEW",
  "OLD – NEW",
  "OLD / NEW",
  "OLD or when the next model is available",
  "OLD for new customers",
  "not OLD",
];

export const dateCellMutations: readonly Mutation[] = [
  ...same.map((html) => oneDate("same", html)),
  ...moved.map((html) => oneDate("moved", html)),
  ...gone.map((html) => oneDate("gone", html)),
  oneDate("moved", "<span class='x'>OLD</span> NEW", style(".x { text-decoration: line-through }")),
  oneDate(
    "moved",
    "<em class='y'>OLD</em> NEW",
    style("td em.y{color:grey;text-decoration:line-through red}"),
  ),
  oneDate("moved", "OLD†", note("<p>† Extended to NEW.</p>")),
  oneDate("moved", "OLD**", note("<p>** Postponed until NEW</p>")),
  oneDate("moved", "OLD<sup>2</sup>", note("<p><sup>2</sup> Extended to NEW.</p>")),
  oneDate("moved", "OLD [3]", note("<ul><li>[3] Moved to NEW</li></ul>")),
  oneDate("gone", "OLD§", note("<p>§ No longer planned.</p>")),
];

import { firstDay } from "../extraction/dates.ts";
import { readPage, type Section } from "../extraction/page.ts";
import { noticesFromSentences } from "../extraction/sentence-notices.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { CalendarDay, Provider } from "../notice/notice.ts";

/** A change log: the entry of a day says which names end, and when. */
export const deepSeek: Provider = {
  label: "DeepSeek",
  slug: "deepseek",
  page_url: "https://api-docs.deepseek.com/updates",
  source_url: "https://api-docs.deepseek.com/updates/",
  allowed_hosts: [],
  extract(text) {
    const page = readPage(text);
    const announcement = ({ headings, dateOrder }: Section): CalendarDay =>
      headings.map((heading) => firstDay(heading.text, dateOrder)).find((day) => day !== "") ?? "";
    return [
      ...noticesFromTables(page, { announcement }),
      ...noticesFromSentences(page, { announcement }),
    ];
  },
};

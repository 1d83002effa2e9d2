import { readPage } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** One table per round of retirements, of Qwen and other makers' models on Model Studio. */
export const alibaba: Provider = {
  label: "Alibaba Cloud",
  slug: "alibaba",
  page_url: "https://www.alibabacloud.com/help/en/model-studio/model-depreciation",
  source_url: "https://www.alibabacloud.com/help/en/model-studio/model-depreciation",
  allowed_hosts: [],
  extract: (page) => noticesFromTables(readPage(page), { deprecationEnds: true }),
};

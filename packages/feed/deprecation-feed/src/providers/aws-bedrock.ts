import { readPage } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/**
 * One table, in which a model has one row per group of regions with the same dates; in the Markdown version of the page
 * it is a list.
 */
export const awsBedrock: Provider = {
  label: "AWS Bedrock",
  slug: "aws-bedrock",
  page_url: "https://docs.aws.amazon.com/bedrock/latest/userguide/model-lifecycle-legacy.html",
  source_url: "https://docs.aws.amazon.com/bedrock/latest/userguide/model-lifecycle-legacy.html",
  allowed_hosts: [],
  extract: (page) => noticesFromTables(readPage(page), { acceptsNames: true }),
};

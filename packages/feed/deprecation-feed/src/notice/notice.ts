/** A calendar day as `YYYY-MM-DD`, or empty if the page gives none. Never a guess. */
export type CalendarDay = string;

/** A model's state according to the page; empty if only its dates say it. `withdrawn`: its end was taken back. */
export type PageState = (typeof pageStates)[number];
export const pageStates = ["", "active", "deprecated", "shutdown", "withdrawn"] as const;

/** What one row of a provider's page says about a model. */
export interface Notice {
  /** As in an API call. */
  readonly model_id: string;
  /** Other ids that the row gives for the same model. */
  readonly aliases: readonly string[];
  /** When the provider announced it. */
  readonly announcement_date: CalendarDay;
  /** The day from which the model is legacy or deprecated. */
  readonly deprecation_date: CalendarDay;
  /** The day from which calls fail. */
  readonly shutdown_date: CalendarDay;
  /** The first day on which calls may fail, for a model without a shutdown date: "not sooner than …". */
  readonly earliest_shutdown_date: CalendarDay;
  readonly state: PageState;
  /** What the page says instead of a shutdown date ("not sooner than …", "TBD"); empty if it gives a date. */
  readonly shutdown_text: string;
  readonly replacement_models: readonly string[];
  /** As named by the page; empty: everywhere. */
  readonly regions: readonly string[];
  /** The fragment of the page's URL that leads to the row; empty if there is none. */
  readonly anchor: string;
  /** The text of the page that this was read from: headings and cells. */
  readonly source_text: string;
}

/** A source of notices. */
export interface Provider {
  /** For people, such as `AWS Bedrock`. */
  readonly label: string;
  /** In paths and ids, permanent: `aws-bedrock`. */
  readonly slug: string;
  /** The page for people; notices link to it. */
  readonly page_url: string;
  /** The URL that is fetched; often a Markdown version of the page. */
  readonly source_url: string;
  /** Hosts that a redirect may lead to, besides that of `source_url`. */
  readonly allowed_hosts: readonly string[];
  /** What the page has when it lists no notices, as release notes may. @default such a page is refused */
  readonly emptyPage?: RegExp;
  /** A pure function of the page's text, Markdown or HTML. */
  extract(page: string): readonly Notice[];
}

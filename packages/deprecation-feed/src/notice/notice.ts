/** A calendar day as `YYYY-MM-DD`, or empty where the page gives none. Never a guess. */
export type CalendarDay = string;

/** What a page says of a model's state; empty where it leaves that to its dates. */
export type PageState = "" | "active" | "deprecated" | "shutdown";

/** What one row of a provider's page says of one model. */
export interface Notice {
  /** As an API call would name it. */
  readonly model_id: string;
  /** Other ids that the row gives for the same model. */
  readonly aliases: readonly string[];
  /** When the provider made it known. */
  readonly announcement_date: CalendarDay;
  /** From when the model is legacy or deprecated. */
  readonly deprecation_date: CalendarDay;
  /** From when calls fail. */
  readonly shutdown_date: CalendarDay;
  /** The first day from which calls may fail, of a model that has no shutdown date: "not sooner than …". */
  readonly earliest_shutdown_date: CalendarDay;
  readonly state: PageState;
  /** What the page says in place of a shutdown date ("not sooner than …", "TBD"); empty where it gives a date. */
  readonly shutdown_text: string;
  readonly replacement_models: readonly string[];
  /** As the page names them; empty: everywhere. */
  readonly regions: readonly string[];
  /** The part of the page's address after `#` that leads to the row; empty where the page has none. */
  readonly anchor: string;
  /** The words of the page that this was read from: headings and cells. */
  readonly source_text: string;
}

/** Where notices come from. */
export interface Provider {
  /** For people: `AWS Bedrock`. */
  readonly label: string;
  /** In paths and ids, for ever: `aws-bedrock`. */
  readonly slug: string;
  /** The page for people, to which notices link. */
  readonly page_url: string;
  /** What is fetched; often a Markdown form of the page. */
  readonly source_url: string;
  /** Hosts that a fetch may be redirected to, besides that of `source_url`. */
  readonly allowed_hosts: readonly string[];
  /** A pure function of the page's text, Markdown or HTML. */
  extract(page: string): readonly Notice[];
}

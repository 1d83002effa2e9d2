/** The parts of the page, as text. */
export interface PageBundle {
  /** By name: `console.js`, and what it loads when a view is first opened. */
  readonly scripts: ReadonlyMap<string, string>;
  /** All of them in one, for a page without a server. */
  readonly whole: string;
  readonly style: string;
}

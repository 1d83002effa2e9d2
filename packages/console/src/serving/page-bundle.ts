/** What the page is made of, as text. */
export interface PageBundle {
  readonly script: string;
  readonly style: string;
}

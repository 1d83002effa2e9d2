/** The parts of the page, as text. */
export interface PageBundle {
  readonly script: string;
  readonly style: string;
}

/** A page of numbers, for a terminal or a browser. */
export interface Sheet {
  readonly title: string;
  /** What to take away from it, as sentences. */
  readonly summary: readonly string[];
  readonly tables: readonly SheetTable[];
}

export interface SheetTable {
  readonly title: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly string[])[];
  /** It has a row for each task, of which there may be many. */
  readonly isByTask?: boolean;
}

export interface SheetColumn {
  readonly title: string;
  readonly align: "left" | "right";
}

/** The first column on the left, the numbers on the right. */
export const numbersUnder = (...titles: readonly string[]): readonly SheetColumn[] =>
  titles.map((title, index) => ({ title, align: index === 0 ? "left" : "right" }));

/** One answer of a trader's model, with the tools it called. */
export interface Move {
  /** 0: before the first round. */
  readonly round: number;
  readonly text: string;
  readonly calls: readonly {
    readonly name: string;
    /** JSON, as the model wrote it. */
    readonly arguments: string;
    readonly result: string;
  }[];
}

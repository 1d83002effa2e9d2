/** A change of an instrument's price. */
export interface Tick {
  readonly symbol: string;
  /** Market time, in milliseconds since the epoch. */
  readonly time: number;
  /** Points. */
  readonly bid: number;
  /** Points. */
  readonly ask: number;
  /** Changes of the price that it stands for. @default 1 */
  readonly changes?: number;
}

/** A trader; its name is also its address on the points server. */
export interface Trader {
  readonly name: string;
  /** The instruction to the model. */
  readonly style: string;
}

const styles: readonly Trader[] = [
  {
    name: "trend",
    style: "You follow trends: buy what has been rising, sell what has been falling.",
  },
  {
    name: "reversion",
    style: "You trade mean reversion: sell what is high for its day, buy what is low.",
  },
  {
    name: "breakout",
    style: "You trade breakouts: buy a new high, sell a new low, and hold until the other.",
  },
  { name: "coin", style: "You toss a coin: buy, sell, or leave everything as it is." },
];

/** Makes `count` traders, cycling through the four styles. */
export function tradersOf(count: number): readonly Trader[] {
  return Array.from({ length: count }, (_, index) => {
    const { name, style } = styles[index % styles.length] ?? { name: "", style: "" };
    const lap = Math.floor(index / styles.length);
    return lap === 0
      ? { name, style }
      : { name: `${name}-${lap + 1}`, style: `${style} (${lap + 1})` };
  });
}

/** A row of the LeverageProfile table. Key: `symbol`. The margins are those of the Offer table. */
export interface LeverageProfileRecord {
  readonly symbol: string;
  readonly mmr: number;
  readonly emr: number;
  readonly lmr: number;
}

/** A row of the Properties table: a setting of the server. Key: `name`. */
export interface PropertyRecord {
  readonly name: string;
  /** JSON for `market_hours.<instrumentType>`, else plain text. */
  readonly value: string;
}

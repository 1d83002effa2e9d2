/** The answer of `/api/quest/address/<address>`. */
export interface QuestState {
  /** Numeric string, scaled by `pointsDecimal`. */
  readonly totalPoints: string;
  readonly completed: boolean;
}

/** The answer of `/api/quest/description`. */
export interface QuestDescription {
  readonly questProvider: string;
  readonly questProviderUrl: string;
}

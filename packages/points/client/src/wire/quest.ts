import type { MemberReader } from "../reading/member-reader.ts";

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

export const readQuestState = (answer: MemberReader): QuestState => ({
  totalPoints: answer.numeric("totalPoints"),
  completed: answer.flag("completed"),
});

export const readQuestDescription = (answer: MemberReader): QuestDescription => ({
  questProvider: answer.text("questProvider"),
  questProviderUrl: answer.text("questProviderUrl"),
});

import type { QuestDescription, QuestState } from "@proj/points-protocol";
import type { MemberReader } from "../reading/member-reader.ts";

export const readQuestState = (answer: MemberReader): QuestState => ({
  totalPoints: answer.numeric("totalPoints"),
  completed: answer.flag("completed"),
});

export const readQuestDescription = (answer: MemberReader): QuestDescription => ({
  questProvider: answer.text("questProvider"),
  questProviderUrl: answer.text("questProviderUrl"),
});

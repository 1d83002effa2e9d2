import { createTimeOrderedId } from "@proj/session-store";

/** Conversations that the gateway made itself, whose items are all in rows. */
const prefix = "conv_gateway_";

export const servedConversationId = (): string =>
  prefix + createTimeOrderedId().replaceAll("-", "");

export const isServedConversation = (id: string): boolean => id.startsWith(prefix);

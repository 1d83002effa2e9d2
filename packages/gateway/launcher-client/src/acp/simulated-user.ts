import {
  type ChatMessage,
  chatInSession,
  leaveSession,
  type SessionCaller,
} from "../gateway/chat-in-session.ts";
import type { TaskUser } from "../recipes/task-user.ts";

/** Answers an agent turn by turn. */
export interface SimulatedUser extends AsyncDisposable {
  /** The next message after the agent's answer; null: the conversation is over. */
  next(answer: string, signal: AbortSignal): Promise<string | null>;
}

const turnMs = 600_000;

/**
 * @param session_id the agent's. A model that plays the user is asked in the session `user-<session_id>`
 * @param caller null: this launcher asks no models
 * @throws TypeError a model plays the user, which needs a caller
 */
export function simulatedUser(
  user: TaskUser | null,
  { session_id, prompt }: { readonly session_id: string; readonly prompt: string },
  caller: SessionCaller | null,
): SimulatedUser {
  if (user === null || "turns" in user) {
    const turns = (user?.turns ?? []).values();
    return {
      next: async () => turns.next().value ?? null,
      [Symbol.asyncDispose]: async () => {},
    };
  }
  if (caller === null) throw new TypeError("a user that is a model needs a gateway to ask");
  const own = `user-${session_id}`;
  const messages: ChatMessage[] = [
    { role: "system", content: `${user.persona}\n\n${rules(user.until)}` },
    { role: "user", content: opening },
    { role: "assistant", content: prompt },
  ];
  let said = 0;
  return {
    next: async (answer, signal) => {
      if (said >= user.max_turns) return null;
      said += 1;
      messages.push({ role: "user", content: answer === "" ? "(no words)" : answer });
      const text = await chatInSession(caller, own, {
        llm_model: user.route,
        messages: [...messages],
        timeoutMs: turnMs,
        signal,
      });
      messages.push({ role: "assistant", content: text });
      return text.includes(user.until) || text.trim() === "" ? null : text;
    },
    [Symbol.asyncDispose]: () => leaveSession(caller.gateway, own, "simulation ended"),
  };
}

const opening = "Hello, what can I do for you?";

const rules = (until: string): string =>
  `You are this user, in a conversation with an assistant. Answer with the user's next message and nothing else. When the user has what they want, or gives up, answer ${until}.`;

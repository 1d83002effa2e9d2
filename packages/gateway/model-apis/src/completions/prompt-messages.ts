import { userMessage } from "../conversation/conversation-form.ts";
import { elementsOf } from "../conversation/json-slices.ts";

/** The prompt, a text, token ids, or a list of either, as messages of the user. */
export function promptMessages(prompt: string): readonly string[] {
  if (prompt.startsWith('"')) return [userMessage(prompt)];
  const prompts = elementsOf(prompt);
  const isIds = prompts.every((element) => !/^["[]/.test(element));
  return (isIds ? [prompt] : prompts).map((each) =>
    userMessage(each.startsWith('"') ? each : `[{"type":"token_ids","token_ids":${each}}]`),
  );
}

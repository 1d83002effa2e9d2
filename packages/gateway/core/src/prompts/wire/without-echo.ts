/** The members in which engines repeat the ids of their prompt. */
const echoes = ['"prompt_token_ids":[', '"input_ids":['];
const closing = "]".charCodeAt(0);

/**
 * An event's data. A long prompt in it is compared as bytes, and only read if it differs.
 * @param prompt as in `EngineAnswerOptions.prompt`
 */
export function withoutEcho(data: Buffer, prompt: Buffer | null): string {
  if (prompt === null || data.length < prompt.length) return data.toString();
  for (const echo of echoes) {
    const at = data.indexOf(echo);
    const ids = at + echo.length;
    const end: number = ids + prompt.length;
    if (at >= 0 && data[end] === closing && data.subarray(ids, end).equals(prompt))
      return `${data.toString("utf8", 0, at)}"same":true${data.toString("utf8", end + 1)}`;
  }
  return data.toString();
}

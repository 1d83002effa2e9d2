/** How much of an event's data its error repeats, in characters. */
const shownLength = 200;

/** What to say of data that are not a JSON object; null if they are blank or end the stream, which clients skip. */
export function unreadableEvent(data: string): string | null {
  const text = data.trim();
  if (text === "" || text.startsWith("[DONE]")) return null;
  const shown = text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
  return `an event is not a JSON object: ${shown}`;
}

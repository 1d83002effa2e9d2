/** Words that occur both in ids and in ordinary sentences. */
const ordinaryWords = new Set(
  "ada audio babbage base chat classify code command computer curie davinci edit embed embedding embeddings generate image instruct large latest light medium mini moderation nightly preview search small speech summarize text tool transcribe use vision whisper".split(
    " ",
  ),
);

/** Whether an id is recognisable as a model in any context. */
export function isTellingId(id: string): boolean {
  const parts = id.toLowerCase().split(/[^a-z0-9]+/);
  if (parts.length < 2 || id.length <= 4) return false;
  return (
    /\d/.test(id) ||
    (id.length >= 8 && !parts.every((part) => part.length < 2 || ordinaryWords.has(part)))
  );
}

/** The key before a value: `model:`, `"model_id": "`, `MODEL=`, `models: ["x", "`, `--model `, `Model("`. */
const modelKey =
  /(?:^|[^a-z])(?:[\w-]{0,40}model[\w-]{0,40}|engine|deployment(?:[_-]?(?:id|name))?)["'`\\)]*(?:\s?[:=]=?>?\s?|\s?\(\s?)(?:[\w.]+\()?[[{(]?(?:\s?\\?["'`]?[\w./:@-]{1,80}["'`]?\s?,)*\s?\\?["'`]?$/i;
const flagBefore = /(?:^|[\s"'])(?:--model|-m)["']?[=,\s]\s*["']?$/;
const listItem = /^\s*-\s+["']?$/;
const modelsKey = /models?["']?\s?:\s*$/i;
const maxListed = 50;

/**
 * Whether an ambiguous word (`o1`, `command`) is the value of something called a model, not a key, a name or a word
 * of a sentence.
 */
export function isModelValue(text: string, start: number, end: number): boolean {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const before = text.slice(Math.max(lineStart, start - 160), start);
  const after = text.slice(end, end + 3);
  if (/^\\?["'`]?\s?[:=(.]/.test(after) || /^[ \t]+[\p{L}]/u.test(after)) return false;
  const quote = /["'`]$/.exec(before)?.[0];
  if (quote !== undefined && !after.replace("\\", "").startsWith(quote)) return false;
  if (flagBefore.test(before)) return true;
  if (/model|engine|deployment/i.test(before) && modelKey.test(before.replace(/\s+/g, " ")))
    return true;
  return listItem.test(before) && isUnderModels(text, lineStart);
}

/** A YAML list below `models:`. */
function isUnderModels(text: string, lineStart: number): boolean {
  let end = lineStart - 1;
  for (let lines = 0; end > 0 && lines < maxListed; lines++) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end);
    if (!/^\s*-\s/.test(line)) return modelsKey.test(line.slice(-120));
    end = start - 1;
  }
  return false;
}

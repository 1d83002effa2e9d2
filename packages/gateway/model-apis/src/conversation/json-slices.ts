/**
 * Slices of JSON texts, exactly as written: numbers keep every digit, and nothing is parsed or serialised
 * again. The texts must be valid JSON; nothing here recurses with their depth.
 */

const bracketOrQuote = /["[\]{}]/g;
const endOfScalar = /[,\]}\s]/g;

/** The texts of an array's elements; none if the value is not an array. */
export function elementsOf(json: string): string[] {
  const found: string[] = [];
  let at = skipBlanks(json, 0);
  if (json[at] !== "[") return found;
  at = skipBlanks(json, at + 1);
  while (json[at] !== "]") {
    const end = endOfValue(json, at);
    found.push(json.slice(at, end));
    at = behindComma(json, end);
  }
  return found;
}

/**
 * The text of an object's member, the last one if the name is repeated; null if there is none or the value is
 * not an object.
 */
export function memberOf(json: string, name: string): string | null {
  let found: string | null = null;
  let at = skipBlanks(json, 0);
  if (json[at] !== "{") return found;
  at = skipBlanks(json, at + 1);
  while (json[at] !== "}") {
    const endOfKey = endOfValue(json, at);
    const isFound = isNamed(json.slice(at, endOfKey), name);
    // A colon, perhaps with blanks around it.
    at = skipBlanks(json, skipBlanks(json, endOfKey) + 1);
    const end = endOfValue(json, at);
    if (isFound) found = json.slice(at, end);
    at = behindComma(json, end);
  }
  return found;
}

/** The text of an array; null if it is something else. */
export const arrayOf = (json: string | null): string | null =>
  json?.startsWith("[") ? json : null;

function isNamed(key: string, name: string): boolean {
  return key.includes("\\") ? JSON.parse(key) === name : key === `"${name}"`;
}

function behindComma(json: string, endOfItem: number): number {
  const at = skipBlanks(json, endOfItem);
  return json[at] === "," ? skipBlanks(json, at + 1) : at;
}

function endOfValue(json: string, from: number): number {
  const first = json[from];
  if (first === '"') return endOfString(json, from);
  if (first !== "{" && first !== "[") {
    const end = find(endOfScalar, json, from);
    // Without a value nothing would advance.
    if (end === from) throw notJson();
    return end;
  }
  let depth = 0;
  for (let at = from; ; ) {
    at = find(bracketOrQuote, json, at);
    if (json[at] === '"') {
      at = endOfString(json, at);
      continue;
    }
    depth += json[at] === "{" || json[at] === "[" ? 1 : -1;
    at += 1;
    if (depth === 0) return at;
  }
}

function endOfString(json: string, from: number): number {
  for (let at = from + 1; ; at += 1) {
    at = json.indexOf('"', at);
    if (at === -1) throw notJson();
    let escapes = at;
    while (json[escapes - 1] === "\\") escapes -= 1;
    if ((at - escapes) % 2 === 0) return at + 1;
  }
}

function skipBlanks(json: string, from: number): number {
  let at = from;
  while (json[at] === " " || json[at] === "\n" || json[at] === "\r" || json[at] === "\t") at += 1;
  return at;
}

/** The next match of the pattern, which must be global. */
function find(pattern: RegExp, json: string, from: number): number {
  pattern.lastIndex = from;
  const at = pattern.exec(json)?.index;
  if (at === undefined) throw notJson();
  return at;
}

const notJson = (): SyntaxError => new SyntaxError("the text is not valid JSON");

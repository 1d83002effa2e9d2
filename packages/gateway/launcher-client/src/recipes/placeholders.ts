/** What a recipe may ask for, and what an attempt has in its place. */
export const placeholders = [
  "llm_base_url",
  "llm_model",
  "llm_api_key",
  "session_id",
  "home",
  "work",
  "tmp",
] as const;

export type Placeholder = (typeof placeholders)[number];
export type Values = Readonly<Record<Placeholder, string>>;

const pattern = /\{\{ *(\w+) *\}\}/g;

/** The names between double braces. */
export const namedIn = (text: string): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

export const fillPlain = (text: string, values: Values): string =>
  fill(text, values, (value) => value);

/** For values between double quotes in JSON, TOML and YAML, which all escape as JSON does. */
export const fillQuoted = (text: string, values: Values): string =>
  fill(text, values, (value) => JSON.stringify(value).slice(1, -1));

const fill = (text: string, values: Values, write: (value: string) => string): string =>
  text.replaceAll(pattern, (all, name: string) => {
    const known = placeholders.find((placeholder) => placeholder === name);
    return known === undefined ? all : write(values[known]);
  });

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { objectOf } from "@proj/model-apis/json";
import { PythonTemplate } from "./python-template.ts";

/** What a model's folder says about its prompts. */
export interface TokenizerFolder {
  /** The ids of a text, special tokens in it included. */
  encode(text: string): readonly number[];
  /** The text of a token, and its name in the vocabulary, which some decoders show in its place. */
  textsOf(id: number): readonly string[];
  /** Renders a conversation with the variables that the chat template names. */
  render(variables: Readonly<Record<string, unknown>>): string;
  /** Whether the chat template names a variable. */
  reads(variable: string): boolean;
  /** Texts of the vocabulary's special tokens, such as the end of a turn, by their ids. */
  readonly special: ReadonlyMap<number, string>;
  /** `bos_token`, `eos_token` and the like, which templates name. */
  readonly specialTokens: Readonly<Record<string, string>>;
}

/**
 * Reads `tokenizer.json`, `tokenizer_config.json` and the chat template, which is a file of its own
 * (`chat_template.jinja`) or a member of the configuration. A template of the name `tool_use` takes conversations with
 * tools.
 * @throws Error a file is missing or cannot be used; the message names it
 */
export async function readTokenizerFolder(folder: string): Promise<TokenizerFolder> {
  const vocabulary = await readJson(folder, "tokenizer.json");
  const config = await readJson(folder, "tokenizer_config.json");
  const sources = await readTemplates(folder, config);
  const tokenizer = attempt(`${folder}/tokenizer.json`, () => new Tokenizer(vocabulary, config));
  const read = (source: string): PythonTemplate =>
    attempt(`the chat template in ${folder}`, () => new PythonTemplate(source));
  const template = read(sources.default);
  const withTools = sources.tool_use === undefined ? template : read(sources.tool_use);
  const added = [...tokenizer.get_added_tokens_decoder()];
  return {
    encode: (text) => tokenizer.encode(text, { add_special_tokens: false }).ids,
    textsOf: (id) => {
      const name = tokenizer.id_to_token(id);
      if (name === undefined) return [""];
      return [tokenizer.decode([id], { clean_up_tokenization_spaces: false }), name];
    },
    render: (variables) => (variables.tools == null ? template : withTools).render(variables),
    reads: (variable) => Object.values(sources).some((source) => source.includes(variable)),
    special: new Map(
      added.flatMap(([id, { special, content }]) => (special ? [[id, content] as const] : [])),
    ),
    specialTokens: specialTokensOf(config),
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

async function readJson(folder: string, name: string): Promise<JsonObject> {
  const path = join(folder, name);
  return attempt(path, JSON.parse, await readFile(path, "utf8"));
}

interface Templates {
  readonly default: string;
  /** For conversations with tools, if it is another. */
  readonly tool_use?: string;
}

async function readTemplates(folder: string, { chat_template }: JsonObject): Promise<Templates> {
  const read = (path: string): Promise<string | undefined> =>
    readFile(join(folder, path), "utf8").catch(() => undefined);
  const listed = byName(chat_template);
  const template = (await read("chat_template.jinja")) ?? listed.get("default");
  const tool_use =
    (await read("additional_chat_templates/tool_use.jinja")) ?? listed.get("tool_use");
  if (template === undefined)
    throw new Error(`${folder} has no chat template: add chat_template.jinja`);
  return { default: template, ...(tool_use === undefined ? {} : { tool_use }) };
}

/** A configuration has one template, or lists several by name. */
function byName(given: unknown): ReadonlyMap<unknown, string> {
  const listed: readonly unknown[] = Array.isArray(given)
    ? given
    : [{ name: "default", template: given }];
  return new Map(
    listed
      .map(objectOf)
      .flatMap(({ name, template }) =>
        typeof template === "string" ? [[name, template] as const] : [],
      ),
  );
}

/** A token is its text, or an object with it. */
function specialTokensOf(config: JsonObject): Readonly<Record<string, string>> {
  const tokens: Record<string, string> = {};
  for (const [name, value] of Object.entries(config)) {
    if (!name.endsWith("_token")) continue;
    const text =
      typeof value === "object" && value !== null ? Reflect.get(value, "content") : value;
    if (typeof text === "string") tokens[name] = text;
  }
  return tokens;
}

function attempt<Given extends unknown[], Made>(
  what: string,
  make: (...given: Given) => Made,
  ...given: Given
): Made {
  try {
    return make(...given);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${what} cannot be used: ${why}`, { cause });
  }
}

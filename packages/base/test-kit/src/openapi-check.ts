import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { parse } from "yaml";

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  readonly $ref?: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, object>>;
    readonly responses?: Readonly<Record<string, Described>>;
  };
}

const methods = ["get", "post", "put", "patch", "delete"];

/** An OpenAPI 3.1 document, compared with the answers of a running server. */
export class OpenApiCheck {
  readonly document: Document;
  readonly #asked = new Set<string>();
  readonly #ajv: Ajv2020;

  private constructor(document: Document) {
    this.document = document;
    // A member that the document does not name is a mistake in the document.
    this.#ajv = new Ajv2020({ strict: false, validateFormats: false });
    this.#ajv.addSchema(closed({ $id: "document", ...document }));
  }

  /** @throws Error the file is not valid OpenAPI */
  static async read(file: URL): Promise<OpenApiCheck> {
    const document: Document = parse(await readFile(file, "utf8"));
    const { valid, errors } = await new Validator().validate(structuredClone({ ...document }));
    if (!valid) throw new Error(`${file.pathname}: ${JSON.stringify(errors)}`);
    return new OpenApiCheck(document);
  }

  /** Every operation, such as `GET /a/{id}`. */
  get operations(): string[] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      methods.filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** Operations of which no answer was checked. */
  get unasked(): string[] {
    return this.operations.filter((operation) => !this.#asked.has(operation));
  }

  /**
   * Reads an answer and compares its status, type and body with the document.
   * @returns the body as text
   * @throws Error they differ from the document
   */
  async check(operation: string, answer: Response): Promise<string> {
    const [method = "", path = ""] = operation.split(" ");
    const where = `${operation}: ${answer.status}`;
    const item = this.document.paths[path]?.[method.toLowerCase()];
    if (item === undefined) throw new Error(`${operation} is not documented`);
    this.#asked.add(operation);
    const text = await answer.text();
    const { responses }: { responses?: Readonly<Record<string, Described>> } = Object(item);
    const found = responses?.[answer.status] ?? responses?.default;
    if (found === undefined) throw new Error(`${where} is not documented: ${text}`);
    const name = found.$ref?.split("/").at(-1);
    const { content } =
      name === undefined ? found : (this.document.components?.responses?.[name] ?? {});
    const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
    if (content === undefined) return text;
    const media = content[type];
    if (media === undefined) throw new Error(`${where} has the type '${type}'`);
    if (media.schema === undefined || !type.endsWith("json")) return text;
    const validate = this.#compile(media.schema);
    if (!validate(JSON.parse(text)))
      throw new Error(`${where} ${JSON.stringify(validate.errors)}: ${text.slice(0, 2_000)}`);
    return text;
  }

  #compile(schema: object): ValidateFunction {
    const text = JSON.stringify(closed(schema)).replaceAll('"#/', '"document#/');
    return this.#ajv.compile(JSON.parse(text));
  }
}

/** The schemas, made to allow only the members that they name. */
function closed(value: object): object {
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" &&
    inner !== null &&
    "properties" in inner &&
    "type" in inner &&
    !("additionalProperties" in inner)
      ? { ...inner, additionalProperties: false }
      : inner,
  );
  return JSON.parse(text);
}

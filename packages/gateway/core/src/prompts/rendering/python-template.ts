import { Environment, Interpreter } from "@huggingface/jinja";
import { functions } from "./python-functions.ts";
import {
  functionValue,
  listValue,
  nothing,
  type TemplateFunction,
  textOf,
  textValue,
  toValue,
  wholeValue,
} from "./python-values.ts";
import { parseAsPython } from "./rewrite-template.ts";

/** A chat template that renders as Hugging Face's `apply_chat_template` renders it in Python. */
export class PythonTemplate {
  readonly #program: ReturnType<typeof parseAsPython>;

  /** @throws Error the source is not a template */
  constructor(source: string) {
    this.#program = parseAsPython(source);
  }

  /** @throws Error the template refuses its variables, or uses what the interpreter lacks */
  render(variables: Readonly<Record<string, unknown>>): string {
    const scope = new Environment(builtIn);
    for (const [name, value] of Object.entries(variables)) scope.setVariable(name, toValue(value));
    return textOf(new Interpreter(scope).run(this.#program));
  }
}

const constants = { true: true, false: false, none: null, True: true, False: false, None: null };

const globals: Readonly<Record<string, TemplateFunction>> = {
  raise_exception: ([why = nothing]) => {
    throw new Error(textOf(why));
  },
  range: (args) => {
    const [first = 0, second, step = 1] = args.map(({ value }) => Number(value));
    const [start, stop] = second === undefined ? [0, first] : [first, second];
    const count = step === 0 ? 0 : Math.max(0, Math.ceil((stop - start) / step));
    return listValue(Array.from({ length: count }, (_, at) => wholeValue(start + at * step)));
  },
  strftime_now: ([format = nothing]) => textValue(formatted(new Date(), textOf(format))),
};

/** Python's `strftime` in English, as far as templates use it. */
function formatted(date: Date, format: string): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const named = (options: Intl.DateTimeFormatOptions): string =>
    date.toLocaleDateString("en-US", options);
  const parts: Readonly<Record<string, string>> = {
    Y: String(date.getFullYear()),
    y: two(date.getFullYear() % 100),
    m: two(date.getMonth() + 1),
    d: two(date.getDate()),
    H: two(date.getHours()),
    M: two(date.getMinutes()),
    S: two(date.getSeconds()),
    b: named({ month: "short" }),
    B: named({ month: "long" }),
    a: named({ weekday: "short" }),
    A: named({ weekday: "long" }),
    "%": "%",
  };
  return format.replace(/%(-?)(.)/g, (whole, bare: string, name: string) => {
    const part = parts[name];
    return part === undefined ? whole : bare === "" ? part : part.replace(/^0/, "");
  });
}

/** What every template finds, made once. */
const builtIn = new Environment();
for (const [name, own] of Object.entries({ ...functions, ...globals }))
  builtIn.setVariable(name, functionValue(own));
for (const [name, value] of Object.entries(constants)) builtIn.setVariable(name, toValue(value));

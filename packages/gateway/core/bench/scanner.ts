import { readRequestBody } from "@proj/model-apis";
import { redact } from "@proj/model-apis/json";

const ROUNDS = 15;
const MEGABYTE = 1_000_000;
/** One measurement repeats its work until it is long enough for the clock. */
const SAMPLE_MS = 4;

/** What the gateway reads of a request's body, against the least that a gateway that parses would do. */
export async function runScannerBench(only: string = ""): Promise<void> {
  console.log(
    "ratio to JSON.parse(buffer.toString()), medians of interleaved rounds; below 1 is faster",
  );
  console.log(
    `${"shape".padEnd(34)}${"bytes".padStart(10)}${"parse µs".padStart(11)}${"scan".padStart(8)}${"redact".padStart(8)}`,
  );
  for (const [name, text] of Object.entries(shapes())) {
    if (!name.includes(only)) continue;
    const { parse, scan, redaction } = measure(Buffer.from(text));
    const columns = [(scan / parse).toFixed(2), (redaction / parse).toFixed(2)];
    console.log(
      name.padEnd(34) +
        String(Buffer.byteLength(text)).padStart(10) +
        (parse * 1000).toFixed(1).padStart(11) +
        columns.map((column) => column.padStart(8)).join(""),
    );
    // Lets the collector run between two shapes instead of within one.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface Measured {
  readonly parse: number;
  readonly scan: number;
  readonly redaction: number;
}

/** Milliseconds for one run of each. */
function measure(body: Buffer): Measured {
  const works = [
    () => attempt(() => JSON.parse(body.toString())),
    () => attempt(() => readRequestBody(body, "messages")),
    () => attempt(() => redact(body)),
  ];
  for (const work of works) time(work, 2 * repeatsOf(work));
  const samples: number[][] = works.map(() => []);
  const repeats = works.map((work) => repeatsOf(work));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      samples[index]?.push(time(work, repeats[index] ?? 1));
    }
  }
  const [parse = 0, scan = 0, redaction = 0] = samples.map(median);
  return { parse, scan, redaction };
}

function repeatsOf(work: () => void): number {
  let repeats = 1;
  while (time(work, repeats) * repeats < SAMPLE_MS) repeats *= 2;
  return repeats;
}

function time(work: () => void, repeats: number): number {
  const started = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++) work();
  return (performance.now() - started) / repeats;
}

/** Bodies that are refused are measured too: refusing must cost no more than parsing. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // Both refuse the same shapes.
  }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function shapes(): Record<string, string> {
  const filled = (unit: string, bytes = MEGABYTE): string =>
    unit.repeat(Math.ceil(bytes / unit.length));
  const within = (history: string): string => `{"model":"m","messages":${history}}`;
  const listed = (element: string): string => within(`[${filled(`${element},`).slice(0, -1)}]`);
  const nested = (open: string, close: string): string => {
    const depth = Math.floor(MEGABYTE / (open.length + close.length));
    return within(open.repeat(depth) + (open.endsWith(":") ? "0" : "") + close.repeat(depth));
  };
  return {
    "chat, 1 KB": JSON.stringify(chat(1_000)),
    "chat, 1 KB, with tools": JSON.stringify({ ...chat(500), tools: [tool()] }),
    "history, 200 KB": JSON.stringify(chat(200_000)),
    "history, 1 MB": JSON.stringify(chat(MEGABYTE)),
    "history, 1 MB, pretty-printed": JSON.stringify(chat(MEGABYTE), null, 2),
    "history, 1 MB, not Latin": JSON.stringify(chat(MEGABYTE, "Übergröße 模型 и текст\n")),
    "one string, no escape": within(`"${filled("lorem ipsum ")}"`),
    "token ids": within(
      `[${Array.from({ length: 170_000 }, (_, index) => 10_000 + (index % 89_999)).join()}]`,
    ),
    logprobs: listed(
      '{"token":" the","logprob":-0.1234567,"bytes":[32,116,104,101],"top_logprobs":[]}',
    ),
    'empty strings ""': listed('""'),
    "strings of 49 bytes": listed(`"${"x".repeat(49)}"`),
    "strings of 60 bytes": listed(`"${"x".repeat(60)}"`),
    'string of \\"': within(`"${filled('\\"')}"`),
    "string of \\\\": within(`"${filled("\\\\")}"`),
    "string of \\n": within(`"${filled("\\n")}"`),
    "string of \\u00e9": within(`"${filled("\\u00e9")}"`),
    'string with \\" every 50 bytes': within(`"${filled(`${"x".repeat(48)}\\"`)}"`),
    'short strings of \\"': listed('"\\"\\"\\""'),
    "nested arrays": nested("[", "]"),
    "nested arrays, never closed": within(filled("[")),
    "nested objects": nested('{"a":', "}"),
    "nested objects, never closed": within(filled('{"a":')),
    "empty objects": listed("{}"),
    "small objects": listed('{"a":1}'),
    "objects with escaped keys": listed('{"\\u0061":"x"}'),
    "objects with sensitive keys": listed('{"token":"x"}'),
    "top-level members": `{"model":"m",${filled('"a":1,')}"z":1}`,
    "top-level members, escaped": `{"model":"m",${filled('"\\u0061":"",')}"z":1}`,
    "top-level members named alike": `{"model":"m",${filled('"mode":"",')}"z":1}`,
    whitespace: within(`[${filled(" ")}]`),
    "whitespace between tokens": listed(" \n 1 \n "),
    "one long number": within(filled("1")),
    "one long key": within(`{"${filled("k")}":1}`),
  };
}

function chat(
  bytes: number,
  phrase = 'He said: "use C:\\\\path\\\\to"\n\tand then it went on, as such texts do.\n',
): object {
  const messages: object[] = [{ role: "system", content: "You are a helpful assistant." }];
  for (let size = 0, turn = 0; size < bytes; turn++) {
    const content = phrase.repeat(3 + ((turn * 7) % 40)).slice(0, Math.max(40, bytes - size));
    size += Buffer.byteLength(JSON.stringify(content)) + 30;
    messages.push({ role: turn % 2 === 0 ? "user" : "assistant", content });
  }
  return { model: "agent-large", temperature: 0.7, max_tokens: 1024, stream: true, messages };
}

function tool(): object {
  const parameters = {
    type: "object",
    properties: { path: { type: "string", description: "The file" }, line: { type: "integer" } },
    required: ["path"],
  };
  return {
    type: "function",
    function: { name: "read_file", description: "Reads a file", parameters },
  };
}

if (import.meta.main) await runScannerBench(process.argv[2]);

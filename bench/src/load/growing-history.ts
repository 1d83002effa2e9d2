import { seededRandom } from "../statistics.ts";

const POOL_SIZE = 400;
const WORDS =
  "the runtime asks a model for its next action and appends what came back to the history of " +
  "the session so that every request repeats all that was said before it plus one turn more " +
  "observation price table order filled rejected naïve café Zürich 東京 データ Привет 🙂 state";

/** The parts of a chat body whose messages grow from request to request. */
export interface History {
  /** `{"messages":[` and all messages, separated by commas. */
  readonly bytes: Buffer;
  /** Offsets in `bytes` where each step's messages end, ascending; the first is the shortest history. */
  readonly ends: readonly number[];
}

/** The rest of the body after the messages, including 8 KB of tools. */
export const HISTORY_SUFFIX: Buffer = Buffer.from(
  `],"model":"bench-model","temperature":0.7,"tools":${tools()},"tool_choice":"auto"}`,
);

/** A history that grows by two messages per step from `fromBytes` to `toBytes`; the same for the same `seed`. */
export function buildHistory(seed: number, fromBytes: number, toBytes: number): History {
  const random = seededRandom(seed);
  const parts: Buffer[] = [Buffer.from('{"messages":[')];
  const ends: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (let message = 0; length < toBytes; message++) {
    const pool = message % 2 === 0 ? USER_MESSAGES : ASSISTANT_MESSAGES;
    const part = pool[Math.floor(random() * POOL_SIZE)] ?? Buffer.alloc(0);
    // A comma precedes each message but the first.
    parts.push(message === 0 ? part.subarray(1) : part);
    length += part.length - (message === 0 ? 1 : 0);
    if (message % 2 === 0 && length >= fromBytes) ends.push(length);
  }
  return { bytes: Buffer.concat(parts), ends };
}

const USER_MESSAGES: readonly Buffer[] = messagePool("user", 1);
const ASSISTANT_MESSAGES: readonly Buffer[] = messagePool("assistant", 2);

/** Messages of 1 to 2 KB, each with a leading comma. Every fourth is escaped to ASCII, as Python's json does. */
function messagePool(role: string, seed: number): Buffer[] {
  const random = seededRandom(seed);
  return Array.from({ length: POOL_SIZE }, (_, index) => {
    const json = JSON.stringify({ role, content: text(random, 1000 + Math.floor(random() * 900)) });
    return Buffer.from(`,${index % 4 === 0 ? escapeToAscii(json) : json}`);
  });
}

function text(random: () => number, length: number): string {
  const words = WORDS.split(" ");
  let written = "";
  while (written.length < length) {
    const word = words[Math.floor(random() * words.length)] ?? "";
    const chance = random();
    if (chance < 0.04) written += `\n"${word}":\t{"path": "C:\\\\data\\\\${word}"}\n`;
    else if (chance < 0.1) written += `${word}\n`;
    else written += `${word} `;
  }
  return written;
}

function escapeToAscii(json: string): string {
  return json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function tools(): string {
  const described = "What this argument means, where its value comes from and when to leave it out";
  const tool = (index: number): object => ({
    type: "function",
    function: {
      name: `act_${index}`,
      description: `Tool ${index}: changes the state of the simulated world. ${described}.`,
      parameters: {
        type: "object",
        properties: Object.fromEntries(
          ["target", "amount", "reason", "when"].map((name) => [
            name,
            { type: "string", description: described },
          ]),
        ),
        required: ["target", "amount"],
        additionalProperties: false,
      },
    },
  });
  return JSON.stringify(Array.from({ length: 10 }, (_, index) => tool(index)));
}

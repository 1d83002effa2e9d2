import { describe, expect, test } from "vitest";
import { ResponseStreamReader } from "../../src/responses/response-stream-reader.ts";

function createReader(): ResponseStreamReader {
  return new ResponseStreamReader({ assemble: true, maxBytes: 1_000 });
}

function push(reader: ResponseStreamReader, ...chunks: readonly string[]): string {
  return Buffer.concat(chunks.flatMap((chunk) => reader.push(Buffer.from(chunk)))).toString();
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

const item = { id: "m", type: "message", role: "assistant", status: "in_progress", content: [] };
const added = event({ type: "response.output_item.added", output_index: 0, item });
const place = { item_id: "m", output_index: 0, content_index: 0 };
const delta = (text: string): string =>
  event({ type: "response.output_text.delta", ...place, delta: text });

describe("a responses stream beyond the bound", () => {
  const large = "x".repeat(3_000);

  test("a response that is too large is replaced by its items", () => {
    const reader = createReader();
    const response = {
      status: "completed",
      output: [{ ...item, text: large }],
      usage: { input_tokens: 5 },
    };
    push(
      reader,
      added,
      delta("abc"),
      delta(large),
      event({ type: "response.completed", response }),
    );
    const facts = reader.facts();
    expect(facts).toMatchObject({
      complete: true,
      truncated: true,
      prompt_tokens: 5,
      finish_reason: "completed",
    });
    expect(JSON.parse(String(facts.text)).output[0].content[0].text).toBe("abc");
  });

  test("items that are too large do not matter if the response is not", () => {
    const reader = createReader();
    push(
      reader,
      added,
      delta(large),
      event({ type: "response.completed", response: { status: "completed", output: [{}] } }),
    );
    expect(reader.facts()).toMatchObject({ complete: true, truncated: false });
  });

  const slices = (text: string): string[] => {
    const count = Math.ceil(text.length / 65_536);
    return Array.from({ length: count }, (_, at) => text.slice(at * 65_536, (at + 1) * 65_536));
  };
  const enormous = "x".repeat(1_500_000);

  test("an event too large to withhold is passed on except for its end", () => {
    for (const ending of ["\n\n", "\r\n\r\n", "\r\r"]) {
      const text = `data: ${JSON.stringify({ type: "response.completed", response: { enormous } })}${ending}`;
      const reader = createReader();
      const passed = push(reader, added, ...slices(text).slice(0, -1));
      expect(passed.length).toBeGreaterThan(1_400_000);
      expect(reader.betweenEvents).toBe(false);
      const rest = push(reader, ...text.slice(passed.length - added.length));
      expect(passed + rest).toBe(added + text.slice(0, -ending.length));
      expect(Buffer.concat(reader.tail()).toString()).toBe(ending);
      expect(reader).toMatchObject({ terminal: true, complete: true, betweenEvents: false });
      expect(reader.facts()).toMatchObject({ truncated: true, finish_reason: "completed" });
    }
  });

  test("likewise for an event that is not terminal, and the stream continues", () => {
    const reader = createReader();
    const image = event({
      type: "response.image_generation_call.partial_image",
      partial_image_b64: enormous,
    });
    const chunks = slices(image + delta("x"));
    expect(push(reader, ...chunks)).toBe(image + delta("x"));
    expect(reader).toMatchObject({ terminal: false, betweenEvents: true });
    expect(reader.facts()).toMatchObject({ truncated: true });
  });
});

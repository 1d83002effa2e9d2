import { expect, test } from "vitest";
import { abridgeVectors } from "../../src/embeddings/abridge-vectors.ts";

test("an answer without vectors, or in another form, is not changed", () => {
  for (const text of [
    '{"data":[{"embedding":null},{"object":"embedding"},7,[{"embedding":[1]}]],"usage":{}}',
    '{"data":{"embedding":[1]},"embedding":[2]}',
    '[{"data":[{"embedding":[1]}]}]',
    '"cut off"',
    "{}",
  ])
    expect(String(abridgeVectors(Buffer.from(text)))).toBe(text);
});

test("a vector's size is recorded, however it is written", () => {
  const floats = Buffer.from(new Float32Array([1, -2, 0.5]).buffer).toString("base64");
  const escaped = floats.replaceAll("/", "\\/");
  const text = `{"data":[{"embedding":[ ]},{"embedding":[1 ,[2]]},{"embedding":"${escaped}"}]}`;
  expect(JSON.parse(String(abridgeVectors(Buffer.from(text))))).toEqual({
    data: [
      { embedding: { dimensions: 0 } },
      { embedding: { dimensions: 2 } },
      { embedding: { encoding_format: "base64", dimensions: 3 } },
    ],
  });
});

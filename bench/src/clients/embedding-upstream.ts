import { type FaultyUpstream, startFaultyUpstream } from "@proj/test-kit";

/** The texts that clients embed, and the vectors that they must get: exact in single precision. */
export const embedded: readonly { readonly text: string; readonly vector: readonly number[] }[] = [
  { text: "Hello", vector: [0.5, -0.25, 3] },
  { text: "there", vector: [1, 2, -8] },
];

interface EmbeddingsRequest {
  readonly input: string | readonly string[];
  readonly encoding_format?: string;
}

/** A model server that embeds those texts, as floats or base64 as requested. */
export function startEmbeddingUpstream(): Promise<FaultyUpstream> {
  return startFaultyUpstream((request, reply) => {
    const { input, encoding_format }: EmbeddingsRequest = JSON.parse(request.body.toString());
    const texts = typeof input === "string" ? [input] : input;
    const data = texts.map((text, index) => {
      const vector = embedded.find((each) => each.text === text)?.vector ?? [];
      const embedding = encoding_format === "base64" ? base64(vector) : vector;
      return { object: "embedding", index, embedding };
    });
    const usage = { prompt_tokens: texts.length, total_tokens: texts.length };
    void reply.json({ object: "list", model: "embedder", data, usage });
  });
}

const base64 = (vector: readonly number[]): string =>
  Buffer.from(new Float32Array(vector).buffer).toString("base64");

import { parentPort } from "node:worker_threads";
import { type EncodedAnswer, readEncodedAnswer } from "./read-encoded-answer.ts";

// Large answers are decoded and parsed here, one after the other.
parentPort?.on("message", async (answer: EncodedAnswer) => {
  try {
    const facts = await readEncodedAnswer(answer, answer.maxCaptureBytes);
    // A view would bring its whole buffer along.
    const text = facts.text === null ? null : new Uint8Array(facts.text);
    parentPort?.postMessage({ facts: { ...facts, text } }, text === null ? [] : [text.buffer]);
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});

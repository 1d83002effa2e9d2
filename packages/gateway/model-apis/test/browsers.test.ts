import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test.each(["index.ts", "conversation/index.ts", "names.ts"])(
  "%s loads where there are no Buffers, as in a browser",
  async (file) => {
    const url = new URL(`../src/${file}`, import.meta.url);
    const program = `delete globalThis.Buffer; const all = await import("${url}"); console.log(typeof all);`;
    const options = ["--conditions=@proj/source", "--conditions=browser", "--input-type=module"];
    const run = promisify(execFile)(process.execPath, [...options, "--eval", program]);
    await expect(run).resolves.toMatchObject({ stdout: "object\n" });
  },
);

test("a conversation is read and an answer is written without Buffers", async () => {
  const url = new URL("../src/index.ts", import.meta.url);
  const program = `
    delete globalThis.Buffer;
    const { endpointsByName, formOf } = await import("${url}");
    const { readRequest, writeAnswer, writeStream } = endpointsByName.messages;
    readRequest({ model: "m", messages: [{ role: "user", content: "Hi" }] });
    const parts = [{ kind: "text", text: "Hello" }];
    const answer = { id: "1", model: "m", created: 1, choices: [{ parts, finish: "stop" }], usage: {} };
    const written = writeAnswer(answer, {});
    console.log(writeStream(written).length, formOf("messages").answersOf(written)[0].parts[0].text);`;
  const options = ["--conditions=@proj/source", "--conditions=browser", "--input-type=module"];
  const run = promisify(execFile)(process.execPath, [...options, "--eval", program]);
  await expect(run).resolves.toMatchObject({ stdout: "7 Hello\n" });
});

import { endpointsByName } from "@proj/model-apis";
import { expect, test } from "vitest";
import { endpointCases } from "./endpoint-cases.ts";

for (const { name, answer } of endpointCases.filter(({ stream }) => stream !== null))
  test(`the answer of ${name}, streamed again, is what was recorded`, () => {
    const { openStream, writeStream } = endpointsByName[name];
    const reader = openStream?.({ assemble: true, maxBytes: 1e6 });
    const recorded = JSON.parse(JSON.stringify(answer));
    reader?.push(Buffer.from(writeStream?.(recorded).join("") ?? ""));
    reader?.end();
    expect(reader).toMatchObject({ terminal: true, complete: true, error: null });
    expect(JSON.parse(String(reader?.facts().text))).toEqual(recorded);
  });

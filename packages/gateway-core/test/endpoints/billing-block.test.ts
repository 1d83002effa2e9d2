import { describe, expect, it } from "vitest";
import { stripBillingBlock } from "../../src/endpoints/messages/billing-block.ts";

const billing = '{"type":"text","text":"x-anthropic-billing-header: cc_version=1; cch=abc"}';
const other = '{"type":"text","text":"You are a helper."}';
const strip = (text: string): string | undefined =>
  stripBillingBlock(Buffer.from(text))?.toString();

describe("the billing block", () => {
  it.each([
    [`{"model":"m","system":[${billing},${other}]}`, `{"model":"m","system":[${other}]}`],
    [`{"system": [ ${billing} , ${other} ] ,"a":1}`, `{"system": [ ${other} ] ,"a":1}`],
    [`{"system":[${billing}]}`, '{"system":[]}'],
  ])("is removed from %s, and nothing else is changed", (body, rest) => {
    expect(strip(body)).toBe(rest);
  });

  it.each([
    `{"system":[${other},${billing}]}`,
    `{"system":${JSON.stringify("x-anthropic-billing-header: 1")}}`,
    `{"messages":[{"role":"user","content":[${billing}]}],"system":[${other}]}`,
    `{"system":[${billing}`,
    `{"system":[]}`,
  ])("is not found in %s", (body) => {
    expect(strip(body)).toBeUndefined();
  });
});

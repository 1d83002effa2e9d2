import { describe, expect, it } from "vitest";
import { mayHaveBillingBlock, stripBillingBlock } from "../../src/messages/billing-block.ts";
import { readRequestBody } from "../../src/requests/request-body.ts";

const billing = '{"type":"text","text":"x-anthropic-billing-header: cc_version=1; cch=abc"}';
const other = '{"type":"text","text":"You are a helper."}';
const strip = (text: string): string | undefined =>
  stripBillingBlock(Buffer.from(text))?.toString();

describe("the billing block", () => {
  it.each([
    [`{"model":"m","system":[${billing}],"messages":[]}`, true],
    [`{"model":"m","messages":[],"system":[${billing}]}`, true],
    [`{"model":"m","system":[${billing}]}`, true],
    [`{"model":"m","system":[],"messages":[{"role":"user","content":[${billing}]}]}`, false],
  ])("is looked for outside of the messages: in %s it is %s", (body, isThere) => {
    expect(mayHaveBillingBlock(readRequestBody(Buffer.from(body), "messages"))).toBe(isThere);
  });

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

import { ByteSplice } from "../json/byte-splice.ts";
import { JsonScanner } from "../json/json-scanner.ts";
import { JsonSyntaxError } from "../json/json-syntax-error.ts";
import type { RequestBody } from "../requests/request-body.ts";

export const billingPrefix = "x-anthropic-billing-header:";
const nothing = new Uint8Array();

/** Whether a body mentions the block outside of its messages, which are too long to be searched for each request. */
export function mayHaveBillingBlock({ bytes, messages_start, messages_end }: RequestBody): boolean {
  return (
    bytes.subarray(messages_end).includes(billingPrefix) ||
    bytes.subarray(0, messages_start).includes(billingPrefix)
  );
}

/**
 * Removes the system block that Claude Code uses for billing. Its text changes with every request, so that no
 * two prompts begin alike and no prefix cache hits.
 * @returns null if there is no such block
 */
export function stripBillingBlock(bytes: Buffer): Buffer | null {
  const splice = new ByteSplice(bytes);
  const scanner = new JsonScanner(bytes);
  let found = false;
  try {
    for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
      const isSystem = scanner.keyEquals("system") && scanner.kind === "array";
      if (!isSystem) scanner.skipValue();
      else found = stripFirstBlock(scanner, splice) || found;
    }
  } catch (error) {
    // The structure cannot be followed: that is for the upstream to judge.
    if (!(error instanceof JsonSyntaxError)) throw error;
    return null;
  }
  return found ? splice.apply() : null;
}

/** Removes the block and the comma after it. */
function stripFirstBlock(scanner: JsonScanner, splice: ByteSplice): boolean {
  if (!scanner.enterArray()) return false;
  const start = scanner.at;
  const isBilling = isBillingBlock(scanner);
  const end = scanner.at;
  let more = scanner.nextElement();
  if (isBilling) splice.replace(start, more ? scanner.at : end, nothing);
  for (; more; more = scanner.nextElement()) scanner.skipValue();
  return isBilling;
}

function isBillingBlock(scanner: JsonScanner): boolean {
  if (scanner.kind !== "object") {
    scanner.skipValue();
    return false;
  }
  let isBilling = false;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    const { at, bytes } = scanner;
    const isText = scanner.keyEquals("text");
    scanner.skipValue();
    if (isText)
      isBilling =
        bytes.toString("latin1", at, at + 1 + billingPrefix.length) === `"${billingPrefix}`;
  }
  return isBilling;
}

import { folded, isAddress, isPlainAddress } from "../program/address.ts";
import type { Program } from "../program/program.ts";
import type { PointsEvent, SwapEvent } from "./event.ts";
import { EventError } from "./event-error.ts";

/** What an event is validated against. */
export interface EventRules {
  readonly program: Program;
  /** Unix seconds. */
  readonly now: number;
}

type Members = Readonly<Record<string, unknown>>;

// Control characters in an id would be invisible wherever the id is shown.
const idForm = /^[^\p{Cc}]{1,200}$/u;
const domainForm = /^[^\p{Cc}]{0,253}$/u;
const maxDecimals = 38;
/** The largest 128-bit integer: the amounts of all tokens and pools fit in it. */
const maxAmount: bigint = 2n ** 128n - 1n;
const maxDigits = maxAmount.toString().length;
const amountForm: RegExp = /^(?:0|[1-9]\d{0,38})$/;
/** How many seconds an Ethereum block may be ahead, because hosts' clocks differ a little. */
const defaultClockTolerance = 15;

export function eventRules(program: Program): EventRules {
  return { program, now: Math.floor(Date.now() / 1000) };
}

/** @throws EventError */
export function parseEvent(value: unknown, rules: EventRules): PointsEvent {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new EventError(`an event must be an object, found ${show(value)}`);
  }
  const members = value as Members;
  const id = readText(members, "id");
  if (!idForm.test(id)) throw wrong("id", "1 to 200 characters without control characters", id);
  const common = { id, time: readTime(members, rules), ...readSequence(members) };
  switch (members.type) {
    case "swap":
      return readSwap(members, common, rules);
    case "position_opened":
    case "position_changed":
    case "position_closed": {
      const type = members.type;
      const address = readUser(members, rules);
      const pool = readPlainAddress(members, "pool", rules);
      const event = { type, ...common, address, pool, position: readPosition(members) };
      return type === "position_closed"
        ? event
        : { ...event, liquidity: readAmount(members, "liquidity") };
    }
    case "price": {
      const token = readPlainAddress(members, "token", rules);
      const price = readAmount(members, "price");
      return {
        type: "price",
        ...common,
        token,
        price,
        priceDecimals: readDecimals(members, "priceDecimals"),
      };
    }
    case "domain": {
      const address = readUser(members, rules);
      const domain = readText(members, "domain");
      if (!domainForm.test(domain)) {
        throw wrong("domain", "at most 253 characters without control characters", domain);
      }
      return { type: "domain", ...common, address, domain };
    }
    case "retract": {
      const target = readText(members, "target");
      if (!idForm.test(target)) throw wrong("target", "the id of an event", target);
      if (target === id) throw new EventError("target must not be the retraction itself");
      return { type: "retract", ...common, target };
    }
    default:
      throw wrong(
        "type",
        "swap, position_opened, position_changed, position_closed, price, domain or retract",
        members.type,
      );
  }
}

function readTime(members: Members, { now, program }: EventRules): number {
  const time = members.time;
  if (typeof time !== "number" || !Number.isSafeInteger(time) || time < 0) {
    throw wrong("time", "Unix seconds, a whole number", time);
  }
  const tolerance = program.clockTolerance ?? defaultClockTolerance;
  if (time > now + tolerance)
    throw new EventError(
      `time ${time} is in the future: now is ${now}, and clockTolerance is ${tolerance}`,
    );
  return time;
}

function readSequence({ sequence = null }: Members): { readonly sequence?: number } {
  if (sequence === null) return {};
  if (typeof sequence === "number" && Number.isSafeInteger(sequence) && sequence >= 0)
    return { sequence };
  throw wrong("sequence", "a whole number from 0 to 2^53 - 1", sequence);
}

function readSwap(
  members: Members,
  common: Pick<SwapEvent, "id" | "time" | "sequence">,
  rules: EventRules,
): SwapEvent {
  const address = readUser(members, rules);
  const tokenX = readPlainAddress(members, "tokenX", rules);
  const tokenY = readPlainAddress(members, "tokenY", rules);
  const swap = { type: "swap", ...common, address, tokenX, tokenY } as const;
  const { usdValue = null, amount = null } = members;
  if (usdValue !== null) return { ...swap, usdValue: readAmount(members, "usdValue") };
  if (amount === null)
    throw new EventError(
      "usdValue is missing, and so is an amount (amount, amountToken, amountDecimals) to compute it from",
    );
  const amountToken = readPlainAddress(members, "amountToken", rules);
  if (amountToken !== tokenX && amountToken !== tokenY)
    throw wrong("amountToken", "tokenX or tokenY", amountToken);
  const amountDecimals = readDecimals(members, "amountDecimals");
  return { ...swap, amount: readAmount(members, "amount"), amountToken, amountDecimals };
}

function readUser(members: Members, { program }: EventRules): string {
  const address = readText(members, "address");
  if (!isAddress(program, address)) throw wrong("address", "an address", address);
  return folded(program, address);
}

function readPlainAddress(members: Members, name: string, { program }: EventRules): string {
  const address = readText(members, name);
  if (!isPlainAddress(address)) throw wrong(name, "1 to 128 characters A-Z a-z 0-9 . _ -", address);
  return folded(program, address);
}

function readPosition(members: Members): string {
  const position = readText(members, "position");
  if (idForm.test(position)) return position;
  throw wrong("position", "1 to 200 characters without control characters", position);
}

function readAmount(members: Members, name: string): string {
  const amount = members[name];
  if (typeof amount === "string" && isAmount(amount)) return amount;
  throw wrong(name, "a string with a decimal integer from 0 to 2^128 - 1", amount);
}

function readDecimals(members: Members, name: string): number {
  const decimals = members[name];
  if (typeof decimals === "number" && Number.isInteger(decimals)) {
    if (decimals >= 0 && decimals <= maxDecimals) return decimals;
  }
  throw wrong(name, `a whole number from 0 to ${maxDecimals}`, decimals);
}

function readText(members: Members, name: string): string {
  const text = members[name];
  if (typeof text === "string") return text;
  throw wrong(name, "a string", text);
}

function wrong(name: string, expected: string, found: unknown): EventError {
  if (found === undefined) return new EventError(`${name} is missing`);
  return new EventError(`${name} must be ${expected}, found ${show(found)}`);
}

/** The value, cut to a length that is enough to find it again. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}

/** Whether the text is a decimal integer from 0 to 2^128 - 1, without sign, fraction or leading zeros. */
function isAmount(text: string): boolean {
  if (!amountForm.test(text)) return false;
  return text.length < maxDigits || BigInt(text) <= maxAmount;
}

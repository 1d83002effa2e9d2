import type { Request } from "express";
import { GatewayError } from "../errors/gateway-error.ts";

/** An optional query parameter, given at most once. @throws GatewayError invalid_request */
export function optionalText(req: Request, name: string): string | undefined {
  const value = req.query[name];
  if (value === undefined || typeof value === "string") return value;
  throw new GatewayError(
    "invalid_request",
    `The query parameter '${name}' may be given only once.`,
    {
      param: name,
    },
  );
}

/** @throws GatewayError invalid_request */
export function requiredText(req: Request, name: string): string {
  const value = optionalText(req, name);
  if (value) return value;
  throw new GatewayError("invalid_request", `The query parameter '${name}' is missing.`, {
    param: name,
  });
}

/** A whole number from 0 on; 0 if it is not given. @throws GatewayError invalid_request */
export function naturalNumber(req: Request, name: string): number {
  const value = optionalText(req, name);
  if (value === undefined) return 0;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw mustBe(name, "a whole number", value);
}

/** `limit`: items per page, 100 if it is not given. @throws GatewayError invalid_request */
export function pageLimit(req: Request): number {
  const value = optionalText(req, "limit");
  if (value === undefined) return 100;
  if (/^[1-9]\d{0,2}$|^1000$/.test(value)) return Number(value);
  throw mustBe("limit", "a whole number from 1 to 1000", value);
}

/** Seconds, perhaps with a fraction; 0 if they are not given. @throws GatewayError invalid_request */
export function seconds(req: Request, name: string): number {
  const value = optionalText(req, name);
  if (value === undefined) return 0;
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return Number(value);
  throw mustBe(name, "a number of seconds", value);
}

function mustBe(name: string, what: string, value: string): GatewayError {
  return new GatewayError(
    "invalid_request",
    `The query parameter '${name}' must be ${what}, not '${value.slice(0, 40)}'.`,
    { param: name },
  );
}

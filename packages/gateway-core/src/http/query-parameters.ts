import type { Request } from "express";
import { GatewayError } from "../gateway-error.ts";

/** A query parameter that is given once, or not. @throws GatewayError invalid_request */
export function optionalText(req: Request, name: string): string | undefined {
  const value = req.query[name];
  if (value === undefined || typeof value === "string") return value;
  throw new GatewayError("invalid_request", `The query parameter '${name}' may be given once.`, {
    param: name,
  });
}

/** @throws GatewayError invalid_request */
export function requiredText(req: Request, name: string): string {
  const value = optionalText(req, name);
  if (value) return value;
  throw new GatewayError("invalid_request", `The query parameter '${name}' is missing.`, {
    param: name,
  });
}

/** A whole number from 0 on; one that is larger than `most` counts as `most`. @throws GatewayError invalid_request */
export function naturalNumber(req: Request, name: string, otherwise: number, most: number): number {
  const value = optionalText(req, name);
  if (value === undefined) return otherwise;
  if (/^\d{1,16}$/.test(value)) return Math.min(Number(value), most);
  throw new GatewayError(
    "invalid_request",
    `The query parameter '${name}' must be a whole number, not '${value.slice(0, 40)}'.`,
    { param: name },
  );
}

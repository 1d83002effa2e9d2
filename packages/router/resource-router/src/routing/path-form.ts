import { notFound } from "../answer/problem.ts";
import { noContent } from "../answer/reply.ts";
import type { Operation, Run } from "../operation/exchange.ts";
import { type Hook, withHooks } from "../operation/hook.ts";
import { type OperationName, operationNames } from "../operation/operations.ts";
import { ifCurrent } from "../operation/tagged-answer.ts";
import type { Resource } from "./resource.ts";

export type FormName = keyof typeof operationNames;

/** One of the two paths of a resource (collection or item), and its operations. */
export interface PathForm {
  /** The resource's name. */
  readonly resource: string;
  /** The names of the parent ids. */
  readonly params: readonly string[];
  /** The implemented operations by method, including HEAD. */
  readonly operations: ReadonlyMap<string, NamedOperation>;
  /** The header `Allow`: these methods, and OPTIONS, which is always answered. */
  readonly allow: string;
}

export interface NamedOperation extends Operation {
  readonly name: OperationName;
}

/** @param hooks of the router and the enclosing groups, outermost first */
export function pathForm(resource: Resource, form: FormName, hooks: readonly Hook[]): PathForm {
  const { name, template, operations } = resource;
  const around = [...hooks, ...resource.hooks];
  const given = operationsAt(form, name, operations);
  const named = (operation: OperationName, run: Run): NamedOperation => ({
    name: operation,
    run: withHooks(around, run),
    ifNone: operation === "find" ? () => notFound() : keepNull,
  });
  const byMethod = new Map<string, NamedOperation>();
  // GET comes first.
  for (const [method, operation, run] of given) {
    const found = byMethod.get("GET");
    const isChange = method === "PUT" || method === "PATCH" || method === "DELETE";
    byMethod.set(method, named(operation, isChange && found ? ifCurrent(found, run) : run));
    const get = byMethod.get("GET");
    if (get !== undefined) byMethod.set("HEAD", get);
  }
  const allow = [...new Set([...byMethod.keys(), "OPTIONS"])].join(", ");
  return { resource: name, params: template.params, operations: byMethod, allow };
}

function keepNull(result: undefined | null): unknown {
  return result === undefined ? noContent() : null;
}

/**
 * The operations that an object has for a form, each with its method.
 * @throws TypeError an operation is not a function
 */
export function operationsAt(
  form: FormName,
  resource: string,
  operations: Readonly<Partial<Record<OperationName, unknown>>>,
): [method: string, name: OperationName, run: Run][] {
  return Object.entries(operationNames[form]).flatMap(([method, name]) => {
    const given = operations[name];
    if (given === undefined) return [];
    if (typeof given !== "function")
      throw new TypeError(`The operation '${name}' of '${resource}' must be a function.`);
    return [[method, name, given.bind(operations)]];
  });
}

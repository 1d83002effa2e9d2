import { notFound } from "../answer/problem.ts";
import { noContent } from "../answer/reply.ts";
import type { Operation } from "../operation/exchange.ts";
import { type Hook, type Run, withHooks } from "../operation/hook.ts";
import { type OperationName, operationNames } from "../operation/operations.ts";
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
  const find = given.find(([, operation]) => operation === "find");
  const named = (operation: OperationName, run: Run, found: Operation | null): NamedOperation => ({
    name: operation,
    run: withHooks(around, run),
    ifNone: operation === "find" ? () => notFound() : keepNull,
    find: found,
  });
  const found = find === undefined ? null : named("find", find[2], null);
  const byMethod = new Map<string, NamedOperation>();
  for (const [method, operation, run] of given) {
    const one =
      operation === "find" && found !== null
        ? found
        : named(operation, run, changed(method, found));
    byMethod.set(method, one);
    if (method === "GET") byMethod.set("HEAD", one);
  }
  const allow = [...new Set([...byMethod.keys(), "OPTIONS"])].join(", ");
  return { resource: name, params: template.params, operations: byMethod, allow };
}

/** For a method that changes the item, the operation that finds it. */
function changed(method: string, found: Operation | null): Operation | null {
  return method === "PUT" || method === "PATCH" || method === "DELETE" ? found : null;
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

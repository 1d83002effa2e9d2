import { parse, tokenize } from "@huggingface/jinja";
import { filters } from "./python-filters.ts";
import { objectMethods, textMethods } from "./python-methods.ts";

type Program = ReturnType<typeof parse>;

/** A node of a parsed template. */
interface Node {
  type: string;
  [member: string]: unknown;
}

/**
 * Parses a template so that it means what it does in Python: where the interpreter differs from Jinja, the parsed
 * template calls our functions instead.
 */
export function parseAsPython(source: string): Program {
  // Jinja reads any line end as one.
  const text = source.replace(/\r\n?/g, "\n");
  const program = parse(tokenize(text, { trim_blocks: true, lstrip_blocks: true }));
  rewrite(nodeOf(program));
  return program;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

/** The parser's own types keep most members of nodes to themselves. */
function nodeOf(value: unknown): Node {
  if (!isNode(value)) throw new Error("the parser has made something else than nodes");
  return value;
}

const firstOf = (source: string): Node => nodeOf(parse(tokenize(source)).body[0]);
const aCall = firstOf("{{ f(x) }}");
const aNegation = firstOf("{{ not x }}");
const aText = firstOf("{{ 'x' }}");
const aName = firstOf("{{ x }}");
const aSet = firstOf("{% set x = true %}");
const anIf = firstOf("{% if x %}{% endif %}");

const like = (example: Node, members: Readonly<Record<string, unknown>>): Node =>
  Object.assign(Object.create(Object.getPrototypeOf(example)), example, members);
const call = (name: string, ...args: readonly Node[]): Node =>
  like(aCall, { callee: like(aCall.callee as Node, { value: `$${name}` }), args });
const textNode = (value: string): Node => like(aText, { value });
const not = (argument: Node): Node => like(aNegation, { argument });

function rewrite(node: Node): Node {
  for (const [name, member] of Object.entries(node)) {
    // A token, which is not a node.
    if (name !== "operator") node[name] = rewriteAll(member);
  }
  for (const name of ["body", "alternate", "defaultBlock"]) {
    const statements = node[name];
    if (Array.isArray(statements)) node[name] = statements.map(printed);
  }
  return rules[node.type]?.(node) ?? node;
}

function rewriteAll(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(rewriteAll);
  if (member instanceof Map)
    return new Map(Array.from(member, ([key, value]) => [rewriteAll(key), rewriteAll(value)]));
  return isNode(member) ? rewrite(member) : member;
}

const statements: ReadonlySet<string> = new Set([
  ...["Program", "Set", "If", "For", "Macro", "CallStatement", "FilterStatement", "Break"],
  ...["Continue", "Comment", "StringLiteral"],
]);
const printed = (node: Node): Node => (statements.has(node.type) ? node : call("string", node));

/** Returns what takes the place of a node; undefined: it stays. */
const rules: Readonly<Record<string, (node: Node) => Node | undefined>> = {
  BinaryExpression(node) {
    const { value: operator } = node.operator as { readonly value: string };
    const [left, right] = [node.left as Node, node.right as Node];
    if (operator === "==") return call("==", left, right);
    if (operator === "!=") return not(call("==", left, right));
    if (operator === "in") return call("in", left, right);
    if (operator === "not in") return not(call("in", left, right));
    if (operator === "~")
      Object.assign(node, { left: call("string", left), right: call("string", right) });
    return undefined;
  },
  FilterExpression({ operand, filter }) {
    const { callee = filter, args = [] } = filter as Node;
    const { value: name } = callee as Node;
    const [first] = args as Node[];
    const isOwn = Object.hasOwn(filters, String(name));
    // The interpreter maps to attributes itself.
    if (!isOwn || (name === "map" && first?.type !== "StringLiteral")) return undefined;
    return call(String(name), operand as Node, ...(args as Node[]));
  },
  CallExpression({ callee, args }) {
    const { type, computed, object, property } = callee as Node;
    if (type !== "MemberExpression" || computed === true) return undefined;
    const name = String((property as Node).value);
    if (!Object.hasOwn(objectMethods, name) && !Object.hasOwn(textMethods, name)) return undefined;
    return call(".", object as Node, textNode(name), ...(args as Node[]));
  },
  MemberExpression({ object, property, computed }) {
    const isNumber = computed === true && (property as Node).type === "IntegerLiteral";
    return isNumber ? call("[]", object as Node, property as Node) : undefined;
  },
  ObjectLiteral({ value }) {
    const entries = [...(value as ReadonlyMap<Node, Node>)];
    if (entries.every(([key]) => key.type !== "IntegerLiteral")) return undefined;
    return call("{}", ...entries.flat());
  },
  TestExpression({ operand, negate, test }) {
    const name = String((test as Node).value);
    if (name !== "iterable" && name !== "sequence") return undefined;
    const asked = call("iterable", operand as Node);
    return negate === true ? not(asked) : asked;
  },
  For(node) {
    const iterable = node.iterable as Node;
    if (iterable.type === "SelectExpression") iterable.lhs = call("for", iterable.lhs as Node);
    else node.iterable = call("for", iterable);
    const body = node.body as Node[];
    const own = targetsOf(node.loopvar as Node);
    const names = new Set(body.flatMap(namesSetIn));
    const [skips, breaks] = [body.some(has("Continue")), body.some(has("Break"))];
    if (skips || breaks) names.add(skipped);
    const forgotten = [...names].filter((name) => !own.includes(name)).map(textNode);
    const kept = skips || breaks ? withoutJumps(body) : body;
    const all = forgotten.length > 0 ? [call("forget", ...forgotten), ...kept] : kept;
    node.body = breaks ? [unless(left, all)] : all;
    return undefined;
  },
};

/** Names that a loop's body sets to skip the rest of its turn, and all further turns. */
const skipped = "$skipped";
const left = "$left";
const unless = (name: string, body: readonly Node[]): Node =>
  like(anIf, { test: not(like(aName, { value: name })), body, alternate: [] });
const setTrue = (name: string): Node => like(aSet, { assignee: like(aName, { value: name }) });

const has =
  (type: string) =>
  (node: Node): boolean =>
    node.type === type || (node.type === "If" && blocksOf(node).flat().some(has(type)));
const blocksOf = ({ body, alternate }: Node): [Node[], Node[]] => [
  body as Node[],
  alternate as Node[],
];

/** The interpreter loses what a turn has written before a `continue` or `break`. */
function withoutJumps(body: readonly Node[]): Node[] {
  const at = body.findIndex((node) => has("Continue")(node) || has("Break")(node));
  const jump = body[at];
  if (jump === undefined) return [...body];
  const before = body.slice(0, at);
  if (jump.type === "Continue") return [...before, setTrue(skipped)];
  if (jump.type === "Break") return [...before, setTrue(skipped), setTrue(left)];
  const [then, otherwise] = blocksOf(jump).map(withoutJumps);
  const rest = withoutJumps(body.slice(at + 1));
  const own = like(jump, { body: then, alternate: otherwise });
  return [...before, own, ...(rest.length > 0 ? [unless(skipped, rest)] : [])];
}

/** Names that a statement sets in the scope that it is in. */
function namesSetIn(node: Node): string[] {
  if (node.type === "If")
    return [...(node.body as Node[]), ...(node.alternate as Node[])].flatMap(namesSetIn);
  return node.type === "Set" ? targetsOf(node.assignee as Node) : [];
}

function targetsOf(assigned: Node): string[] {
  const targets = assigned.type === "TupleLiteral" ? (assigned.value as Node[]) : [assigned];
  return targets.flatMap(({ type, value }) => (type === "Identifier" ? [String(value)] : []));
}

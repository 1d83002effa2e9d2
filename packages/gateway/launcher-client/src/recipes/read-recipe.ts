import { closestNames } from "@proj/gateway-protocol";
import { z } from "zod";
import { staysInside } from "../workdir/stays-inside.ts";
import type { AgentRecipe } from "./agent-recipe.ts";
import { namedIn, placeholders } from "./placeholders.ts";

const text = z.string().min(1);
const ownPath = text.refine(staysInside, "must be a path in the agent's home");

const shape = z.strictObject({
  name: z.string().regex(/^[\w.-]{1,64}$/, "must be 1 to 64 letters, digits, dots or hyphens"),
  install: text.optional(),
  files: z
    .record(ownPath, z.union([z.string(), z.looseObject({}), z.array(z.unknown())]))
    .default({}),
  env: z
    .record(text.regex(/^[A-Za-z_]\w*$/, "is not the name of a variable"), z.string())
    .default({}),
  command: text,
  acp: text.optional(),
  answer_file: ownPath.default("answer"),
  exit_codes: z.array(z.int().min(0).max(255)).min(1).default([0]),
});

/**
 * A recipe from the content of its file.
 * @throws TypeError everything that is wrong with it, one a line
 */
export function readRecipe(value: unknown): AgentRecipe {
  const read = shape.safeParse(value);
  if (!read.success) throw new TypeError(read.error.issues.map(describe).join("\n"));
  const { install = null, acp = null, ...recipe } = read.data;
  const problems = [
    ...Object.entries(recipe.files).flatMap(([path, content]) => [
      ...unknownIn(`files.${path}`, JSON.stringify(content)),
      ...(namedIn(JSON.stringify(content)).includes("llm_api_key")
        ? [`files.${path}: a file must not hold the key: put {{llm_api_key}} into env`]
        : []),
    ]),
    ...Object.entries(recipe.env).flatMap(([name, given]) => unknownIn(`env.${name}`, given)),
    ...Object.entries({ command: recipe.command, acp: acp ?? "" }).flatMap(([name, line]) =>
      namedIn(line).length > 0
        ? [`${name}: has no placeholders: put them into env, and write $NAME`]
        : [],
    ),
  ];
  if (problems.length > 0) throw new TypeError(problems.join("\n"));
  return { ...recipe, install, acp };
}

function describe(issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  const why = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? message) : message;
  return `${path.length === 0 ? "the recipe" : path.join(".")}: ${why}`;
}

function unknownIn(place: string, given: string): readonly string[] {
  return namedIn(given)
    .filter((name) => !placeholders.some((known) => known === name))
    .map((name) => {
      const [meant = placeholders.join(", ")] = closestNames(name, placeholders, 1);
      return `${place}: there is no {{${name}}}; did you mean ${meant}?`;
    });
}

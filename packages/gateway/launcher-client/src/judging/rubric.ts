import type { Rubric } from "@proj/session-store";
import { z } from "zod";

const name = z.string().regex(/^[\w.-]{1,64}$/, "must be 1 to 64 letters, digits, dots or hyphens");
const label = z.string().min(1).max(200);

const shape = z.strictObject({
  name,
  instructions: z.string().min(1),
  criteria: z
    .array(
      z.strictObject({
        name,
        about: z.string().min(1),
        values: z.union([z.array(z.number()).min(2).max(50), z.array(label).min(2).max(50)]),
      }),
    )
    .min(1)
    .max(50),
});

/**
 * A rubric from the content of its file.
 * @throws TypeError everything that is wrong with it, one a line
 */
export function readRubric(value: unknown): Rubric {
  const read = shape.safeParse(value);
  if (!read.success) {
    const lines = read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new TypeError(lines.join("\n"));
  }
  const names = read.data.criteria.map((criterion) => criterion.name);
  const twice = names.find((each, index) => names.indexOf(each) < index);
  if (twice !== undefined) throw new TypeError(`criteria: '${twice}' is there twice`);
  return read.data;
}

import fc from "fast-check";

/** A JSON value and one of the many texts for it: other whitespace, other escapes. */
export interface WrittenJson {
  readonly value: fc.JsonValue;
  readonly text: string;
}

/** Nesting is shallow, so that tests may recurse. */
export const jsonValue: fc.Arbitrary<fc.JsonValue> = fc.jsonValue({ stringUnit: "binary" });

/** Draws endless numbers, the same ones for the same seed. */
export type Draw = (below: number) => number;

export const draws: fc.Arbitrary<Draw> = fc.nat().map((seed) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
});

export const writtenJson: fc.Arbitrary<WrittenJson> = fc
  .tuple(jsonValue, draws)
  .map(([value, draw]) => ({ value, text: write(value, draw) }));

export function write(value: unknown, draw: Draw): string {
  const gap = blank(draw);
  if (typeof value === "string") return gap + writeString(value, draw) + blank(draw);
  if (value === null || typeof value !== "object") return gap + JSON.stringify(value) + blank(draw);
  if (Array.isArray(value)) {
    return `${gap}[${value.map((item) => write(item, draw)).join(",") || blank(draw)}]${blank(draw)}`;
  }
  const members = Object.entries(value).map(
    ([name, item]) => `${blank(draw)}${writeString(name, draw)}${blank(draw)}:${write(item, draw)}`,
  );
  return `${gap}{${members.join(",") || blank(draw)}}${blank(draw)}`;
}

export function writeString(value: string, draw: Draw): string {
  let text = '"';
  for (const character of value) {
    if (draw(6) > 0) text += JSON.stringify(character).slice(1, -1);
    else for (const unit of character.split("")) text += hexEscape(unit, draw);
  }
  return `${text}"`;
}

function hexEscape(unit: string, draw: Draw): string {
  const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
  return `\\u${draw(2) === 0 ? digits : digits.toUpperCase()}`;
}

function blank(draw: Draw): string {
  if (draw(3) > 0) return "";
  if (draw(20) === 0) return " ".repeat(draw(200));
  return Array.from({ length: draw(4) }, () => " \n\t\r"[draw(4)]).join("");
}

import { element } from "./tables.js";

/** What a trader said and did, by round, newest first. Rounds stay open or closed while more is added. */
export class MoveList {
  #place;
  #owner = "";
  /** By round: how its moves were when they were drawn, and the element. */
  #rounds = new Map();

  constructor(place) {
    this.#place = place;
  }

  /** @param owner the match and the trader: for others, all rounds are drawn again */
  show(owner, moves) {
    if (owner !== this.#owner) this.#rounds.clear();
    this.#owner = owner;
    const rounds = Map.groupBy(moves, ({ round }) => round);
    for (const round of this.#rounds.keys()) if (!rounds.has(round)) this.#rounds.delete(round);
    const newest = moves.at(-1)?.round;
    for (const [round, made] of rounds) {
      const known = this.#rounds.get(round);
      if (known?.count === made.length) continue;
      const drawn = known?.drawn ?? element("details", "");
      drawn.open = known === undefined ? round === newest : drawn.open;
      const title = element("summary", round === 0 ? "Before the first round" : `Round ${round}`);
      drawn.replaceChildren(title, ...made.flatMap(partsOf));
      this.#rounds.set(round, { count: made.length, drawn });
    }
    const shown = [...this.#rounds.values()].map(({ drawn }) => drawn).reverse();
    const isSame = shown.every((drawn, index) => drawn === this.#place.children[index]);
    if (!isSame || shown.length !== this.#place.children.length)
      this.#place.replaceChildren(...shown);
  }
}

function partsOf({ text, calls }) {
  const said = element("p", text);
  said.className = "said";
  said.dir = "auto";
  return [...(text === "" ? [] : [said]), ...calls.flatMap(callOf)];
}

function callOf({ name, arguments: given, result }) {
  const call = element("p", "");
  call.className = "call";
  call.append(element("strong", name), " ", element("code", given === "{}" ? "" : given));
  const answer = element("p", result);
  answer.className = "answer";
  answer.dir = "auto";
  return [call, answer];
}

// An evaluator: it gets the simulation, its result and its steps, and returns a score.
import { text } from "node:stream/consumers";

const { simulation, result, steps } = JSON.parse(await text(process.stdin));
const isRight = result.metrics.answer.includes(simulation.env_params.answer);
console.log(JSON.stringify({ score: isRight ? 1 : 0, tries: steps.length }));

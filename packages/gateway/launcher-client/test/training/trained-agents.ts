import {
  type Agents,
  further,
  lookAround,
  type PlayedAgent,
  question,
  system,
} from "./played-job.ts";

const looks: PlayedAgent["play"] = (ask) => lookAround(ask);
const thinks: PlayedAgent["play"] = (ask) => lookAround(ask, { demo: { thinking: true } });
/** Two sequences. */
const forgets: PlayedAgent["play"] = async (ask) => {
  await lookAround(ask);
  await ask("chat/completions", { messages: [system, further] });
};
/** Two sequences with the same beginning. */
const forks: PlayedAgent["play"] = async (ask) => {
  const messages = [system, question];
  const { choices = [] } = await ask("chat/completions", { messages });
  const said = { role: "assistant", content: choices[0]?.message.content };
  for (const content of ["And 1 + 1?", "And 2 + 2?"])
    await ask("chat/completions", { messages: [...messages, said, { role: "user", content }] });
};
const fails: PlayedAgent["play"] = async (ask) => {
  await lookAround(ask);
  throw new Error("it broke");
};

/** Three groups of four, with breaks, forks, reasoning and a failure. */
export const trainedAgents: Agents = Object.fromEntries(
  Object.entries({
    a: [looks, forgets, looks, forks],
    b: [forks, thinks, forgets, looks],
    c: [looks, looks, fails, looks],
  }).flatMap(([group_id, plays]) =>
    plays.map((play, at) => [`${group_id}.${at}`, { group_id, reward: at % 2, play }]),
  ),
);

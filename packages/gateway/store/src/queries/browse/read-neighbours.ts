import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import { maxSiblings, type Neighbour, type Neighbours } from "../../store-browser.ts";
import { readEnvironment } from "../read-environment.ts";

const columns = ["session_id", "simulation_id", "attempt", "status", "reward"] as const;

const ofJob = ({ db }: StoreSource) =>
  db
    .selectFrom("job_environments")
    .select(columns)
    .where("job_id", "=", parameter<string>("job_id"));

/** The newest attempt of the simulation after, or before, this one. */
const beside = (operator: ">" | "<") =>
  query((source: StoreSource) =>
    ofJob(source)
      .where("simulation_id", operator, parameter<string>("simulation_id"))
      .orderBy("simulation_id", operator === ">" ? "asc" : "desc")
      .orderBy("attempt", "desc")
      .limit(1),
  );

const readNext = beside(">");
const readPrevious = beside("<");
const readGroup = query((source: StoreSource) =>
  ofJob(source)
    .where("group_id", "=", parameter<string>("group_id"))
    .orderBy("simulation_id")
    .orderBy("attempt")
    .limit(2 * maxSiblings),
);

export async function readNeighbours(
  runner: StoreRunner,
  session_id: string,
): Promise<Neighbours | null> {
  const environment = await readEnvironment(runner, session_id);
  if (environment === null) return null;
  const { job_id, simulation_id, group_id } = environment;
  const [next = null] = (await runner.run(readNext, { job_id, simulation_id })).rows;
  const [previous = null] = (await runner.run(readPrevious, { job_id, simulation_id })).rows;
  const group = group_id === null ? [] : (await runner.run(readGroup, { job_id, group_id })).rows;
  const newest = new Map<string, Neighbour>(group.map((one) => [one.simulation_id, one]));
  return { next, previous, group: [...newest.values()].slice(0, maxSiblings) };
}

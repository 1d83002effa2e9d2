/**
 * The engine could not build an image, start a container or run a command in one, which says nothing about the agent.
 */
export class EngineFailed extends Error {
  override readonly name = "EngineFailed";
}

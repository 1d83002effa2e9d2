/** The engine could not build an image or start a container, which says nothing about the agent. */
export class ContainerNotStarted extends Error {
  override readonly name = "ContainerNotStarted";
}

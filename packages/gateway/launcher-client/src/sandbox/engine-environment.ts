/** Variables that tell an engine where its configuration, images and service are. */
const engineVariables =
  /^(?:PATH|HOME|TMPDIR|DBUS_SESSION_BUS_ADDRESS|(?:XDG|DOCKER|CONTAINER|CONTAINERS)_\w+)$/;

export const engineEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && engineVariables.test(name) ? [[name, value]] : [],
    ),
  );

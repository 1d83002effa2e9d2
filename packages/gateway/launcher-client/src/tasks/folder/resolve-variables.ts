const pattern = /^\$\{([^}:]+)(?::-(.*))?\}$/s;

/**
 * `${NAME}` and `${NAME:-default}` as a whole value stand for the launcher's own variable.
 * @throws Error it has none of that name
 */
export const resolveVariables = (
  variables: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, text]) => {
      const [, own, fallback] = pattern.exec(text) ?? [];
      if (own === undefined) return [name, text];
      const value = environment[own] ?? fallback;
      if (value === undefined) throw new Error(`${name}: the launcher has no variable ${own}`);
      return [name, value];
    }),
  );

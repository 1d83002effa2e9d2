/**
 * Closes the parts one after the other, the later ones even if an earlier one cannot be closed.
 * @throws the first error
 */
export async function closeAll(parts: readonly (() => void | Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of parts) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

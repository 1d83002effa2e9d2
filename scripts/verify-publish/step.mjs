/** Does one part of the work, and prints its title and how long it takes. */
export async function step(title, work) {
  const start = performance.now();
  process.stdout.write(`${title} … `);
  try {
    const result = await work();
    console.log(`${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  } catch (error) {
    console.log("failed");
    throw error;
  }
}

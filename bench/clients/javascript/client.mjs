// Runs scenarios of one client: node client.mjs NAME (SCENARIO BASE_URL MODEL)... Prints a line for each: what
// the client holds at its end, or why it failed.
const [name, ...places] = process.argv.slice(2);
const client = await import(`./${name}.mjs`);
while (places.length > 0) {
  const [scenario, baseURL, model] = places.splice(0, 3);
  const told = await client[scenario]({ baseURL, model, apiKey: "none" }).then(
    (text) => ({ text }),
    (error) => ({ error: String(error) }),
  );
  console.log(`\nRESULT ${JSON.stringify(told)}`);
}
// Some clients keep timers and connections.
process.exit(0);

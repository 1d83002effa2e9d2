/** A child process of the bench: an OTLP receiver that accepts every export and discards it. */
import { createServer } from "node:http";

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address !== "string") process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit());

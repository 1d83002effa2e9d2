/** A child process of the bench: an OTLP receiver that accepts every export and discards it. */
import { createServer } from "node:http";
import { listenForBench } from "../machine/listen.ts";

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
});
listenForBench(server);

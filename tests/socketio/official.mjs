// The twin of examples/echo_server.py on the official server, to try the tests on something that is right by definition.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";

const { Server } = createRequire(new URL("../../bench/reference/", import.meta.url))("socket.io");

const { values: given } = parseArgs({
  options: {
    port: { type: "string" },
    "ping-interval": { type: "string", default: "25000" },
    "ping-timeout": { type: "string", default: "20000" },
    "connect-timeout": { type: "string", default: "45000" },
    "max-payload": { type: "string", default: "1000000" },
    recovery: { type: "string", default: "0" },
    origin: { type: "string" },
  },
});

const http = createServer();
const io = new Server(http, {
  pingInterval: Number(given["ping-interval"]),
  pingTimeout: Number(given["ping-timeout"]),
  connectTimeout: Number(given["connect-timeout"]),
  maxHttpBufferSize: Number(given["max-payload"]),
  cors: given.origin ? { origin: given.origin } : undefined,
  connectionStateRecovery: Number(given.recovery)
    ? { maxDisconnectionDuration: Number(given.recovery) * 1000 }
    : undefined,
});

io.on("connection", (socket) => {
  if (!socket.recovered) socket.emit("auth", socket.handshake.auth);
  socket.on("message", (...args) => socket.emit("message-back", ...args));
  socket.on("message-with-ack", (...args) => args.pop()(...args));
  socket.on("ask", (...args) => socket.emit("question", ...args, (...answer) => socket.emit("answered", ...answer)));
  socket.on("burst", (count) => {
    for (let i = 0; i < count; i++) socket.emit("tick", i);
  });
  socket.on("bye", () => socket.disconnect());
});
io.of("/custom").on("connection", (socket) => {
  if (!socket.recovered) socket.emit("auth", socket.handshake.auth);
});

http.listen(Number(given.port), "127.0.0.1", () => console.log(`listening on ${given.port}`));

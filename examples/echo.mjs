// A JavaScript client for the echo server: node examples/echo.mjs http://127.0.0.1:3000
// Start the server with `--recovery 120`; then the session survives a cut connection.
import { once } from "node:events";
import { io } from "socket.io-client";

const socket = io(process.argv[2]);
await once(socket, "connect");
console.log("connected as", socket.id);

socket.emit("message", { text: "hello", bytes: new Uint8Array([1, 2]) });
console.log("echo:", (await once(socket, "message-back"))[0]);
console.log("acknowledged:", await socket.emitWithAck("message-with-ack", "well?"));

socket.io.engine.close(); // The network fails; the client comes back by itself.
await once(socket, "connect");
console.log("connected again as", socket.id);
console.log("acknowledged:", await socket.emitWithAck("message-with-ack", "still here"));

process.exitCode = socket.recovered ? 0 : 1;
socket.disconnect();

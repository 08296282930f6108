// The lower layer alone: node engine.mjs URL TRANSPORT. Speaks to the echo server by hand, one JSON line per observation.
import { createRequire } from "node:module";

const [url, transport] = process.argv.slice(2);
const { Socket } = createRequire(new URL("../../examples/", import.meta.url))("engine.io-client");
const say = (kind, what) => console.log(JSON.stringify({ [kind]: what }));

const transports = transport === "upgrade" ? ["polling", "websocket"] : [transport];
const socket = new Socket(url, { path: "/socket.io/", transports });

const count = 300;
let sent = 0;
let received = 0;
let pings = 0;
let whole = false;

socket.on("open", () => {
  say("open", socket.transport.name);
  socket.send("0");
});
socket.on("upgrade", () => say("upgrade", socket.transport.name));
socket.on("ping", () => {
  if (++pings >= 2 && whole) socket.close();
});
socket.on("error", (error) => say("error", String(error)));
socket.on("close", (reason) => say("close", { reason, pings }));
socket.on("data", (data) => {
  if (typeof data !== "string") {
    say("binary", Buffer.from(data).toString("hex"));
    whole = true;
  } else if (data.startsWith('2["auth"')) {
    say("auth", JSON.parse(data.slice(1))[1]);
    talk();
  } else if (data.startsWith('2["message-back"')) {
    const [, number] = JSON.parse(data.slice(1));
    if (number !== received++) say("error", `received ${number} as number ${received}`);
    if (received === count) {
      say("received", received);
      socket.send('51-["message",{"_placeholder":true,"num":0}]');
      socket.send(Buffer.from([1, 2, 255]));
    }
  }
});

// A little at a time, so that an upgrade happens in the middle.
function talk() {
  for (let i = 0; i < 10 && sent < count; i++) socket.send(`2["message",${sent++}]`);
  if (sent < count) setTimeout(talk, 2);
}

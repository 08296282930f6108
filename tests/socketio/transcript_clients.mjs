// Runs any number of official clients: an input line is [actor, command, ...], an output line is an event received.
// A command is done when the server has had time to answer it and everything that it sent has been read.
import { Agent, get } from "node:http";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { io } = createRequire(new URL("../../examples/", import.meta.url))("socket.io-client");

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const sockets = new Map();
const say = (...what) => console.log(JSON.stringify(what));
const turn = () => new Promise((resolve) => setImmediate(resolve));

function ask(url) {
  return new Promise((resolve, reject) => {
    get(`${url}/health`, { agent }, (answer) => answer.resume().on("end", resolve)).on("error", reject);
  });
}

// What was written before is in the server's hands; a few turns of its loop later all that it causes has been sent.
async function settle(url) {
  for (let i = 0; i < 2; i++) await turn();
  for (let i = 0; i < 3; i++) await ask(url);
  for (let i = 0; i < 3; i++) await turn();
}

function once(socket, wanted) {
  return new Promise((resolve, reject) => {
    socket.once(wanted, resolve);
    if (wanted === "connect") socket.once("connect_error", reject);
  });
}

const commands = {
  async enter(actor, url, headers) {
    const socket = io(url, { transports: ["websocket"], extraHeaders: headers, reconnection: false, forceNew: true });
    socket.url = url;
    // The last argument is where a recovered session goes on.
    socket.onAny((...event) => say(actor, event.slice(0, -1)));
    sockets.set(actor, socket);
    await once(socket, "connect");
  },
  send: (actor, event) => void sockets.get(actor).emit(...event),
  async cut(actor) {
    const socket = sockets.get(actor);
    const lost = once(socket, "disconnect");
    socket.io.engine.transport.ws.terminate();
    await lost;
  },
  async back(actor) {
    const socket = sockets.get(actor);
    await once(socket.connect(), "connect");
    if (!socket.recovered) throw new Error("the session was not recovered");
  },
  leave: (actor) => void sockets.get(actor).disconnect(),
  wait: (actor, seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [actor, command, ...how] = JSON.parse(line);
  let problem = null;
  try {
    await commands[command](actor, ...how);
    const some = sockets.get(actor) ?? sockets.values().next().value;
    if (some) await settle(some.url);
  } catch (error) {
    problem = String(error);
  }
  say("done", problem);
}
process.exit(0);

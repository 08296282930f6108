// A real client on strings: node client.mjs PACKAGE URL TRANSPORT OPTIONS, commands on stdin, observations on stdout.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [library, url, transport, options] = process.argv.slice(2);
const { io } = createRequire(new URL("../../examples/", import.meta.url))(library);
const { recovery = false, headers = {} } = JSON.parse(options);

const say = (kind, what) => console.log(JSON.stringify({ [kind]: pack(what) }));

// Bytes travel as {"bytes": hex}.
function pack(value) {
  if (Buffer.isBuffer(value) || value instanceof ArrayBuffer) return { bytes: Buffer.from(value).toString("hex") };
  if (Array.isArray(value)) return value.map(pack);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, pack(inner)]));
}

function unpack(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(unpack);
  if (typeof value.bytes === "string") return Buffer.from(value.bytes, "hex");
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unpack(inner)]));
}

function open(namespace, auth) {
  const socket = io(url + namespace, {
    auth,
    transports: transport === "upgrade" ? ["polling", "websocket"] : [transport],
    extraHeaders: headers,
    reconnectionDelay: 100,
    randomizationFactor: 0,
  });
  socket.on("connect", () => {
    say("connect", { id: socket.id, recovered: Boolean(socket.recovered) });
  });
  const watch = () => socket.io.engine.once("upgrade", (transport) => say("upgrade", transport.name));
  socket.io.on("open", watch);
  socket.on("disconnect", (reason) => say("disconnect", reason));
  socket.on("connect_error", (error) => say("error", error.message));
  socket.onAny((name, ...args) => {
    const reply = typeof args.at(-1) === "function" ? args.pop() : null;
    if (recovery && !reply) args.pop();
    say("event", [name, ...args]);
    reply?.("the answer", ...args);
  });
  return socket;
}

let socket = open("/", {});
for await (const line of createInterface({ input: process.stdin })) {
  const { emit, call, open: opened, leave } = unpack(JSON.parse(line));
  if (emit) socket.emit(...emit);
  if (call) socket.emit(...call, (...answer) => say("ack", answer));
  if (opened) open(...opened);
  if (leave) socket.disconnect();
}
process.exit(0);

// Plays one match of tic-tac-toe against the next opponent: node examples/tictactoe.mjs http://127.0.0.1:3000 Ann
import { io } from "socket.io-client";

const [url, username] = process.argv.slice(2);

// The session is a cookie; Node keeps none by itself.
const login = await fetch(new URL("/login", url), {
  method: "POST",
  body: new URLSearchParams({ username, icon: "🦊" }),
  redirect: "manual",
});
if (login.status !== 302) throw new Error(`cannot log in as ${username}`);
const cookie = login.headers.getSetCookie()[0].split(";")[0];

const socket = io(url, { extraHeaders: { cookie } });
let mine; // "X" or "O"
let free; // the cells nobody has taken

function begin({ turn }) {
  free = [0, 1, 2].flatMap((row) => [0, 1, 2].map((col) => ({ row, col })));
  if (turn === mine) move();
}

function move() {
  socket.emit("make_move", free[Math.floor(Math.random() * free.length)]);
}

socket.on("connect", () => {
  console.log(socket.recovered ? "recovered as" : "connected as", socket.id);
  if (!socket.recovered) socket.emit("join_pvp");
});
socket.on("waiting_for_opponent", ({ room_id }) => console.log("waiting in", room_id));
socket.on("chat message", (line) => console.log(line));
socket.on("game_start", (game) => {
  mine = game.your_symbol;
  console.log(`${game.left_player.username} plays ${game.right_player.username}; I am ${mine}`);
  begin(game);
});
socket.on("move_made", ({ row, col, symbol, turn }) => {
  console.log(`${symbol} at ${row},${col}`);
  free = free.filter((cell) => cell.row !== row || cell.col !== col);
  // On the last move of a round the turn stays with the one who made it.
  if (turn === mine && symbol !== mine) move();
});
socket.on("round_end", ({ winner, scores, round_count, match_finished }) => {
  console.log(`round ${round_count + 1}: ${winner}`, scores);
  if (!match_finished) socket.emit("reset_game");
  else finish("match finished", 0);
});
socket.on("game_reset", begin);
socket.on("opponent_left", () => finish("the opponent left", 1));
socket.on("login_required", ({ message }) => finish(message, 2));

function finish(words, code) {
  console.log(words);
  process.exitCode = code;
  socket.disconnect();
}

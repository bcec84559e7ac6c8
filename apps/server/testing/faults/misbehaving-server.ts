import { createServer, type Socket } from 'node:net';
import { listen } from '#testing/peers/listen.ts';

export function startRudeServer(behave: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    behave(socket);
    // A socket that isn't read doesn't report that the other side has closed.
    socket.resume();
  });
  return listen(server);
}

export function sendRepeatedly(socket: Socket, text: string, everyMs = 20): void {
  const timer = setInterval(() => void (socket.writable && socket.write(text)), everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** Sends as much as the other side accepts. */
export function flood(socket: Socket, piece: string): void {
  const more = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

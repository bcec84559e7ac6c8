import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export async function startRudeServer(behave: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    behave(socket);
    // A socket that isn't read doesn't report that the other side has closed.
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      const gone = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await gone;
    },
  };
}

/** Sends a text repeatedly until the connection is closed. */
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

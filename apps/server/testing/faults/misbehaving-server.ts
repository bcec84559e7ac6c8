import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server with arbitrary behavior. */
export interface MisbehavingServer extends AsyncDisposable {
  port: number;
  /** Connections that are open now. */
  open(): number;
}

/** Starts one; `behave` gets each connection. */
export async function startRudeServer(behave: (socket: Socket) => void): Promise<MisbehavingServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    behave(socket);
    // Who does not read does not learn either that the other side has gone.
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

/** Says something again and again, until the connection is closed. */
export function sendRepeatedly(socket: Socket, text: string, everyMs = 20): void {
  const timer = setInterval(() => void (socket.writable && socket.write(text)), everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** Says as much as the other side takes. */
export function flood(socket: Socket, piece: string): void {
  const more = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

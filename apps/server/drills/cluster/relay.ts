import { createConnection, createServer, type Socket } from 'node:net';

/** A way to a port of loopback that can be closed. */
export interface Relay extends AsyncDisposable {
  /** Passes nothing from now on: connections stand and get no answer, as when packets are lost. */
  cut(): void;
  /** Ends those connections, and lets new ones through. */
  mend(): void;
}

/** Passes on what arrives at a port. */
export async function startRelay(port: number, to: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const pass = (from: Socket, into: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => void (isCut || into.write(bytes)));
    from
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(from);
        into.destroy();
      });
  };
  const server = createServer((near) => {
    const far = createConnection({ host: '127.0.0.1', port: to });
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    cut() {
      isCut = true;
    },
    mend() {
      isCut = false;
      drop();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      drop();
    },
  };
}

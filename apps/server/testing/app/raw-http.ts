import { connect, type Socket } from 'node:net';

/** A connection that sends whatever bytes a test wants, and keeps what comes back. */
export interface RawClient {
  socket: Socket;
  /** Everything that came back so far. */
  said(): string;
  /** Status lines that came back so far, interim ones included. */
  statuses(): number[];
  /** Ends when there are so many status lines and the last answer has its end, or the connection is closed. */
  answered(count?: number): Promise<string>;
  /** Ends when the connection is closed, by whomever and however. */
  closed: Promise<void>;
}

const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;

/** Connects to where a test app listens; half-open, it does not close its side when the server closes the other. */
export function rawClient(url: string, { allowHalfOpen = false } = {}): RawClient {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen }).setNoDelay(true);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  // A server that disconnects a client resets the connection, which counts as a response too.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const statuses = () => [...text.matchAll(STATUS_LINE)].map((match) => Number(match[1]));
  return {
    socket,
    said: () => text,
    statuses,
    async answered(count = 1) {
      while (!socket.destroyed && !(statuses().length >= count && text.endsWith('}')))
        await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed]);
      return text;
    },
    closed,
  };
}

/** Sends bytes, and answers all that comes back until the server closes the connection. */
export async function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const client = rawClient(url);
  client.socket.write(bytes);
  await client.closed;
  return client.said();
}

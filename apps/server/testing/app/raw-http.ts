import { connect } from 'node:net';

const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;

export type RawClient = ReturnType<typeof rawClient>;

/**
 * A connection that sends arbitrary bytes and collects the response. Half-open, it doesn't close its side when the server closes
 * the other.
 */
export function rawClient(url: string, { allowHalfOpen = false } = {}) {
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
    /** Status lines received so far, including interim ones. */
    statuses,
    /** Waits for this many status lines and the end of the last response, or for the end of the connection. */
    async answered(count = 1) {
      while (!socket.destroyed && !(statuses().length >= count && text.endsWith('}')))
        await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed]);
      return text;
    },
    /** Resolves when either side closes the connection. */
    closed,
  };
}

/** Sends bytes, and returns the complete response when the server closes the connection. */
export async function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const client = rawClient(url);
  client.socket.write(bytes);
  await client.closed;
  return client.said();
}

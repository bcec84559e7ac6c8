import { connect, type Socket } from 'node:net';

/** A request to send. */
export interface Call {
  path: string;
  method?: 'GET' | 'POST';
  cookie?: string;
  headers?: Record<string, string>;
  body?: object;
}

/** A response. */
export interface Reply {
  status: number;
  body: Buffer;
  /** Cookies that were set, in the form of a Cookie header. */
  cookies: string;
}

/** One keep-alive connection that sends one call at a time. Parses little, so that the server is what we measure. */
export interface Client {
  send(call: Call): Promise<Reply>;
  close(): void;
}

/** Connects to a port of loopback. */
export function openClient(port: number): Client {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  socket.on('error', () => undefined);
  return {
    async send(call) {
      // There would be no response.
      if (socket.destroyed) throw new Error('the connection is closed');
      socket.write(getText(call, port));
      return replyFrom(socket);
    },
    close: () => socket.destroy(),
  };
}

function getText({ path, method = 'GET', cookie, headers = {}, body }: Call, port: number): string {
  const payload = body === undefined ? '' : JSON.stringify(body);
  const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`];
  if (cookie !== undefined) lines.push(`Cookie: ${cookie}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push('Content-Type: application/json');
  if (method === 'POST') lines.push(`Content-Length: ${Buffer.byteLength(payload)}`);
  return `${lines.join('\r\n')}\r\n\r\n${payload}`;
}

function replyFrom(socket: Socket): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let missing = -1;
    let head = '';
    const end = (done: () => void) => {
      socket.off('data', onData).off('close', onClose);
      done();
    };
    const onClose = () => end(() => reject(new Error('the server closed the connection')));
    const onData = (chunk: Buffer) => {
      let body = chunk;
      if (missing < 0) {
        const headEnd = chunk.indexOf('\r\n\r\n');
        head = chunk.toString('latin1', 0, headEnd);
        missing = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN);
        if (headEnd < 0 || Number.isNaN(missing)) return end(() => reject(new Error('an answer of unknown length')));
        body = chunk.subarray(headEnd + 4);
      }
      chunks.push(body);
      missing -= body.length;
      if (missing <= 0)
        end(() => resolve({ status: Number(head.slice(9, 12)), body: Buffer.concat(chunks), ...set(head) }));
    };
    socket.on('data', onData).once('close', onClose);
  });
}

function set(head: string): { cookies: string } {
  return { cookies: [...head.matchAll(/^set-cookie: ([^;\r]+)/gim)].map((match) => match[1]).join('; ') };
}

/** What clients measured. */
export interface Load {
  rate: number;
  /** Milliseconds of every call. */
  times: number[];
  failures: number;
}

/** Lets clients send requests without a pause until the time is over; `calls` returns the nth request. */
export async function load(
  port: number,
  { clients, seconds, calls }: { clients: number; seconds: number; calls: (nth: number) => Call },
): Promise<Load> {
  const times: number[] = [];
  let nth = 0;
  let failures = 0;
  const from = performance.now();
  const until = from + seconds * 1000;
  const work = async () => {
    const client = openClient(port);
    while (performance.now() < until) {
      const call = calls(nth++);
      const sent = performance.now();
      const { status } = await client.send(call);
      if (status !== 200) failures += 1;
      times.push(performance.now() - sent);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: clients }, work));
  return { rate: (times.length / (performance.now() - from)) * 1000, times, failures };
}

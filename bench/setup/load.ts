import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface Call {
  path: string;
  method?: 'GET' | 'POST' | 'PUT';
  cookie?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Reply {
  status: number;
  body: Buffer;
  /** The cookies of the response, in the form of a Cookie header. */
  cookies: string;
}

/** Sends calls on one connection, one at a time. */
export interface Client {
  send(call: Call): Promise<Reply>;
  /** The call must be answered with 200. Returns the parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: answers have every shape
  json(call: Call): Promise<any>;
  close(): void;
}

export function openClient(port: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = ({ path, method = 'GET', cookie, headers, body }: Call) =>
    new Promise<Reply>((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const sent = request(
        {
          port,
          host: '127.0.0.1',
          path,
          method,
          agent,
          headers: {
            ...headers,
            ...(cookie !== undefined && { cookie }),
            ...(payload !== undefined && { 'content-type': 'application/json' }),
            ...(method !== 'GET' && { 'content-length': Buffer.byteLength(payload ?? '') }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const cookies = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), cookies });
          });
        },
      );
      sent.on('error', reject);
      sent.end(payload);
    });
  return {
    send,
    async json(call) {
      const { status, body } = await send(call);
      if (status !== 200) throw new Error(`${call.path} was answered with ${status}: ${body.toString().slice(0, 300)}`);
      return JSON.parse(body.toString());
    },
    close: () => agent.destroy(),
  };
}

/** Clients send calls without a pause for some seconds. Every call must be answered with 200. */
export async function load(
  port: number,
  { clients, seconds, call }: { clients: number; seconds: number; call: (nth: number) => Call },
): Promise<{ rate: number; times: number[] }> {
  const times: number[] = [];
  let nth = 0;
  const from = performance.now();
  const until = from + seconds * 1000;
  const work = async () => {
    const client = openClient(port);
    while (performance.now() < until) {
      const next = call(nth++);
      const sent = performance.now();
      const { status } = await client.send(next);
      if (status !== 200) throw new Error(`${next.path} was answered with ${status}.`);
      times.push(performance.now() - sent);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: clients }, work));
  return { rate: (times.length / (performance.now() - from)) * 1000, times };
}

const PACE_MS = 20;

/** Sends a call every 20 ms while some work runs. A call that is late because of the previous one counts from the time when it was due. */
export async function timesDuring(port: number, call: Call, work: () => Promise<unknown>): Promise<number[]> {
  const client = openClient(port);
  const times: number[] = [];
  let isOver = false;
  const sending = (async () => {
    for (let due = performance.now(); !isOver; due += PACE_MS) {
      await delay(Math.max(0, due - performance.now()));
      await client.json(call);
      times.push(performance.now() - due);
    }
  })();
  try {
    await Promise.race([work(), sending]);
  } finally {
    isOver = true;
    await sending;
    client.close();
  }
  return times;
}

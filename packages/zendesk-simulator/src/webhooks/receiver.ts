import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign } from './signature.ts';

/** A received request, with the original case of header names. */
export interface ReceivedRequest {
  method: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** The response of a receiver; `hang` never responds, `hang up` closes the connection. */
export type Reply = 'hang' | 'hang up' | { status: number; headers?: Record<string, string>; body?: string };

/** A receiver of deliveries with configurable responses that records requests. */
export interface Receiver extends AsyncDisposable {
  url: string;
  got: ReceivedRequest[];
  /** Waits until this many requests have been received in total. */
  has(count: number): Promise<void>;
  /** The bodies as text, in order of arrival. */
  bodies(): string[];
}

/** Starts a receiver. `reply` is called for every request, with the number of previous ones. */
export async function startReceiver(reply: (before: number) => Reply = () => ({ status: 200 })): Promise<Receiver> {
  const got: ReceivedRequest[] = [];
  const events = new EventEmitter();
  const server = createServer(async (request, response) => {
    const body = await toBody(request);
    const answer = reply(got.length);
    got.push({ method: request.method ?? '', headers: writtenHeaders(request), body });
    events.emit('got');
    if (answer === 'hang') return;
    if (answer === 'hang up') return void response.destroy();
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    async has(count) {
      while (got.length < count) await once(events, 'got', { signal: AbortSignal.timeout(8_000) });
    },
    bodies: () => got.map(({ body }) => body.toString('utf8')),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function hasValidSignature(secret: string | Buffer, { headers, body }: ReceivedRequest): boolean {
  const timestamp = headers['X-Zendesk-Webhook-Signature-Timestamp'] ?? '';
  return headers['X-Zendesk-Webhook-Signature'] === sign(secret, timestamp, body);
}

function writtenHeaders({ rawHeaders }: IncomingMessage): Record<string, string> {
  const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []));
  return Object.fromEntries(pairs);
}

async function toBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

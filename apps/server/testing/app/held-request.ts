import type { IncomingMessage } from 'node:http';
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { API_BASE } from '@steward/contract/api/endpoint';
import { type Sending, toRequest } from './call.ts';
import { rawClient } from './raw-http.ts';
import type { TestApp } from './start-app.ts';

export interface HeldRequest {
  /** Sends the rest of the body, and returns the response. */
  finish(): Promise<{ status: number; text: string }>;
}

/**
 * Sends the headers of a request and the first byte of its body, and returns when the guard has let it pass: the server has
 * started to read the body. A call without a body gets an empty object. The server must listen.
 */
export async function holdRequest(node: TestApp, endpoint: AnyEndpoint, sending: Sending): Promise<HeldRequest> {
  const { path, headers, body = '{}' } = toRequest(endpoint, sending);
  const [bytes, query] = [Buffer.from(body), new URLSearchParams(sending.query ?? {})];
  const lines = Object.entries({
    host: 'localhost',
    'content-type': 'application/json',
    ...headers,
    'content-length': bytes.length,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const client = rawClient(node.url);
  const isRead = bodyRead(node);
  client.socket.write(`${endpoint.method} ${API_BASE}${path}?${query} HTTP/1.1\r\n${lines.join('')}\r\n`);
  client.socket.write(bytes.subarray(0, 1));
  await Promise.race([
    isRead,
    client.answered().then((text) => Promise.reject(new Error(`answered before the body was read: ${text}`))),
  ]);
  return {
    async finish() {
      client.socket.write(bytes.subarray(1));
      const text = await client.answered();
      client.socket.destroy();
      return { status: client.statuses()[0] ?? 0, text };
    },
  };
}

/** Resolves when the server starts to read the body of the next request. */
function bodyRead({ app }: TestApp): Promise<void> {
  return new Promise((resolve) => {
    app.server.once('request', (request: IncomingMessage) => {
      request.on('newListener', (event) => {
        if (event === 'data' || event === 'readable') resolve();
      });
    });
  });
}

import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Outgoing } from '../model.ts';
import type { World } from '../world.ts';

export interface Received {
  status_code: number;
  headers: [string, string][];
  payload: string;
}

/** Response timeout of a receiver. */
const PATIENCE_MS = 12_000;
const KEPT_BYTES = 64 * 1024;

/** Sends one request unchanged on a new connection; redirects are not followed. */
export function send(world: World, outgoing: Outgoing): Promise<Received | 'timeout' | 'failed'> {
  return new Promise((resolve) => {
    const { endpoint, method, headers, payload } = outgoing;
    const open = endpoint.startsWith('https:') ? secureRequest : plainRequest;
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const all: Record<string, string> = Object.fromEntries(headers);
    if (hasBody) all['Content-Length'] = String(payload.length);
    const request = open(endpoint, { method, headers: all, agent: false, signal: world.ended });
    const callOff = world.clock.after(PATIENCE_MS, () => {
      resolve('timeout');
      request.destroy();
    });
    const end = (outcome: Received | 'failed') => {
      callOff();
      resolve(outcome);
    };
    request.on('response', (response) => void read(response).then(end, () => end('failed')));
    request.on('error', () => end('failed'));
    request.end(hasBody ? payload : undefined);
  });
}

async function read(response: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const { rawHeaders } = response;
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  const payload = Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8');
  return { status_code: response.statusCode ?? 0, headers, payload };
}

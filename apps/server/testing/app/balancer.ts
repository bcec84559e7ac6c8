import { EventEmitter, once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '#testing/peers/listen.ts';

const PROBE_MS = 50;
/** Headers that apply to one connection only. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding'];
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

interface Node {
  url: string;
  isIn: boolean;
}

interface Exchange {
  from: IncomingMessage;
  body: Buffer;
  to: ServerResponse;
}

export type Balancer = Awaited<ReturnType<typeof openBalancer>>;

/**
 * Behaves like common load balancers, in front of servers that start and stop: nodes take turns, over connections that are kept. A
 * node whose `/readyz` is not 200 gets nothing new. A request goes to another node when the first refused the connection; and, if
 * it may be repeated, when the connection ended without an answer.
 */
export async function openBalancer(size: number) {
  const nodes: Node[] = Array.from({ length: size }, () => ({ url: '', isIn: false }));
  const changes = new EventEmitter().setMaxListeners(0);
  const agent = new Agent({ keepAlive: true });
  const closing = new AbortController();
  let turns = 0;
  let repeats = 0;

  const show = (node: Node, isIn: boolean) => {
    if (node.isIn === isIn) return;
    node.isIn = isIn;
    changes.emit('change');
  };
  const watch = async () => {
    while (!closing.signal.aborted) {
      await Promise.all(nodes.map(async (node) => show(node, await isReady(node))));
      await pause(PROBE_MS);
    }
  };
  const answer = async (exchange: Exchange) => {
    const first = turns++;
    for (let at = 0; at < size; at += 1) {
      const node = nodes[(first + at) % size];
      if (!node?.isIn) continue;
      const failure = await pass(exchange, node, agent);
      if (failure === undefined) return;
      if (failure === 'ECONNREFUSED') show(node, false);
      else if (!mayBeRepeated(exchange.from)) break;
      repeats += 1;
    }
    exchange.to.writeHead(502).end('{"message":"no node answers"}');
  };

  const server = createServer(async (from, to) => answer({ from, to, body: await buffer(from) }));
  const listening = await listen(server);
  const watching = watch();
  return {
    url: listening.url,
    /** Requests sent to a second node because the first one was unreachable or disconnected. */
    repeats: () => repeats,
    place(at: number, url: string) {
      nodes[at] = { url, isIn: false };
    },
    /** Resolves when a node gets requests, or no longer gets any. */
    async until(at: number, isIn: boolean) {
      while (nodes[at]?.isIn !== isIn) await once(changes, 'change');
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await watching;
      await listening[Symbol.asyncDispose]();
      agent.destroy();
    },
  };
}

async function isReady({ url }: Node): Promise<boolean> {
  if (url === '') return false;
  return new Promise((resolve) => {
    const probe = request(`${url}/readyz`, { agent: false }, (answered) => {
      answered.resume();
      resolve(answered.statusCode === 200);
    });
    probe.on('error', () => resolve(false)).end();
  });
}

/** Forwards a request and its response; returns the reason if there was no response. */
function pass({ from, body, to }: Exchange, node: Node, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { ...endToEnd(from), 'content-length': body.length };
    const passed = request(`${node.url}${from.url}`, { method: from.method ?? 'GET', headers, agent }, (answered) => {
      to.writeHead(answered.statusCode ?? 502, endToEnd(answered));
      answered.on('error', () => to.destroy());
      answered.pipe(to);
      resolve(undefined);
    });
    passed.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    passed.end(body);
  });
}

function endToEnd({ headers }: IncomingMessage) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
}

function mayBeRepeated({ method = '', headers }: IncomingMessage): boolean {
  return REPEATABLE.has(method) || headers['idempotency-key'] !== undefined;
}

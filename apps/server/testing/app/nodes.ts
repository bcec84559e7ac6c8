import { createServer, request } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { listen } from '#testing/peers/listen.ts';
import { startApp, type TestApp, type TestAppOptions } from './start-app.ts';

/** `TEST_NODES=2 npm test` runs tests that support it on two nodes. */
const RUNS_ON_TWO = process.env.TEST_NODES === '2';

/**
 * Starts an app; with TEST_NODES=2, two of them on one database, which take turns in responding and both run background jobs.
 * A test must pass with either.
 */
export async function startNodes(options: TestAppOptions = {}): Promise<TestApp> {
  const first = await startApp(options);
  if (!RUNS_ON_TWO) return first;
  const second = await startApp({ ...options, beside: first });
  // A test's changes of the environment apply to both.
  second.deps.env = first.deps.env;
  let calls = 0;
  const next = () => (calls++ % 2 === 0 ? first : second);
  const proxy = options.listen ? await openProxy(() => next().url) : undefined;
  return {
    ...first,
    app: new Proxy(first.app, {
      get(app, key) {
        const target = key === 'inject' ? next().app : app;
        const value = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }) as FastifyInstance,
    get log() {
      return [...first.log, ...second.log];
    },
    url: proxy?.url ?? '',
    async [Symbol.asyncDispose]() {
      await proxy?.[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
      await first[Symbol.asyncDispose]();
    },
  };
}

/** One URL for all nodes, which get requests in turn. */
function openProxy(nextUrl: () => string) {
  const server = createServer((incoming, answer) => {
    const { method, headers, url } = incoming;
    const passed = request(`${nextUrl()}${url}`, { method: method ?? 'GET', headers, agent: false }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  });
  return listen(server);
}

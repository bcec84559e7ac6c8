import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { type Balancer, openBalancer } from './balancer.ts';
import { callAt, type Reply, type Sending } from './call.ts';
import { type KillableServer, killableServer } from './killable-server.ts';
import { startApp, type TestApp } from './start-app.ts';

/** Real server processes on one database, behind a load balancer. */
export interface Cluster extends AsyncDisposable {
  /** The test's own view of the database; it takes no jobs. */
  node: TestApp;
  members: readonly Member[];
  door: Balancer;
  /** Calls each node the same number of times, all at once; answers are in the order of the nodes. */
  callAll(endpoint: AnyEndpoint, sending: Sending, times?: number): Promise<Reply[]>;
}

/** One of the processes. */
export interface Member {
  server: KillableServer;
  /** Where it listens since its last start. */
  url(): string;
  /** Starts it, and ends when the load balancer sends it requests. */
  start(): Promise<void>;
}

interface ClusterOptions {
  /** What each process does: one member for each of them. */
  roles?: readonly string[];
  env?: Record<string, string>;
}

const THREE = ['web,worker', 'web,worker', 'web,worker'];
/** Short, since the test load balancer probes every 50 ms. Callers may set their address. */
const ENV = { DRAIN_SECONDS: '0.5', TRUST_PROXY: '1', DATABASE_POOL: '5' };

/** So long that a machine which does much else at once is no reason for a refusal: these tests are not about limits. */
const PATIENCE = { statementMs: 30_000, lockMs: 30_000, waitMs: 30_000 };

/** Starts three of them, or as many as there are roles. */
export async function startCluster({ roles = THREE, env = {} }: ClusterOptions = {}): Promise<Cluster> {
  const node = await startApp({ work: false, pool: 4 });
  const door = await openBalancer(roles.length);
  const members = roles.map((role, at) =>
    member(killableServer(node, { roles: role, env: { ...ENV, ...env }, limits: PATIENCE }), door, at),
  );
  const close = async () => {
    await door[Symbol.asyncDispose]();
    await Promise.all(members.map(({ server }) => server.kill()));
    await node[Symbol.asyncDispose]();
  };
  try {
    await Promise.all(members.map((each) => each.start()));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    node,
    members,
    door,
    callAll(endpoint, sending, times = 1) {
      const places = members.flatMap((each) => Array.from({ length: times }, () => each.url()));
      return Promise.all(places.map((url) => callAt(url, endpoint, sending)));
    },
    [Symbol.asyncDispose]: close,
  };
}

function member(server: KillableServer, door: Balancer, at: number): Member {
  let url = '';
  return {
    server,
    url: () => url,
    async start() {
      url = await server.start();
      door.place(at, url);
      await door.until(at, true);
    },
  };
}

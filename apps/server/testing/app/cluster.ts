import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { PATIENCE } from '#testing/system/time-scale.ts';
import { type Balancer, openBalancer } from './balancer.ts';
import { callAt, type Sending } from './call.ts';
import { type KillableServer, killableServer } from './killable-server.ts';
import { startApp } from './start-app.ts';

export type Cluster = Awaited<ReturnType<typeof startCluster>>;
export type Member = ReturnType<typeof member>;

/** Short, because the test's load balancer probes every 50 ms. Clients may set their IP address. */
const ENV = { DRAIN_SECONDS: '0.5', TRUST_PROXY: '1', DATABASE_POOL: '5' };

/** Three processes behind a load balancer. */
export async function startCluster(roles = 'web,worker') {
  const node = await startApp({ work: false, pool: 4 });
  const balancer = await openBalancer(3);
  const members = [0, 1, 2].map((at) =>
    member(killableServer(node, { roles, env: ENV, limits: PATIENCE }), balancer, at),
  );
  const close = async () => {
    await balancer[Symbol.asyncDispose]();
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
    /** The test's access to the database. It runs no jobs. */
    node,
    members,
    balancer,
    /** Calls each node the same number of times concurrently. Replies are in the order of the nodes. */
    callAll(endpoint: AnyEndpoint, sending: Sending, times = 1) {
      const places = members.flatMap((each) => Array.from({ length: times }, () => each.url()));
      return Promise.all(places.map((url) => callAt(url, endpoint, sending)));
    },
    [Symbol.asyncDispose]: close,
  };
}

function member(server: KillableServer, balancer: Balancer, at: number) {
  let url = '';
  return {
    server,
    /** The URL since the last start. */
    url: () => url,
    /** Starts the process and waits until the load balancer sends it requests. */
    async start() {
      url = await server.start();
      balancer.place(at, url);
      await balancer.until(at, true);
    },
  };
}

import type { DatabaseCluster } from './cluster.ts';
import type { Machine } from './postgres.ts';
import type { Steward } from './steward.ts';

export interface Fault {
  name: string;
  losesPrimary?: boolean;
  /** True if pending calls get no response. */
  losesCalls?: boolean;
  /** Causes the fault. The returned function repairs it. */
  inject(): Promise<() => Promise<unknown>>;
  /** Seconds until the repair. */
  seconds: number;
}

interface Failure {
  begin(machine: Machine): unknown;
  end(machine: Machine): unknown;
}

const killed: Failure = { begin: (machine) => machine.kill(), end: (machine) => machine.patroni.start() };
const frozen: Failure = { begin: (machine) => machine.signal('SIGSTOP'), end: (machine) => machine.signal('SIGCONT') };
const paused = (process: 'startup' | 'walreceiver'): Failure => ({
  begin: (machine) => machine.signalProcess(process, 'SIGSTOP'),
  end: (machine) => machine.signalProcess(process, 'SIGCONT'),
});
// Patroni restarts it as a replica.
const crashed: Failure = { begin: (machine) => machine.crashPostgres(), end: () => undefined };
const cutOff: Failure = {
  begin({ toEtcd }) {
    for (const way of toEtcd) way.silence();
  },
  end({ toEtcd }) {
    for (const way of toEtcd) {
      // Patroni's keepalive probes would close these connections before a replacement is found, but loopback answers the probes.
      way.endLost();
      way.speak();
    }
  },
};

/** The repair waits for another primary, because a frozen or separated one then still considers itself the primary. */
async function breakPrimary(cluster: DatabaseCluster, { begin, end }: Failure) {
  const primary = await cluster.find('leader');
  await begin(primary);
  return async () => {
    await cluster.untilReplaced(primary);
    await end(primary);
  };
}

async function breakReplicas(cluster: DatabaseCluster, { begin, end }: Failure, roles: readonly string[]) {
  const replicas = await Promise.all(roles.map((role) => cluster.find(role)));
  for (const replica of replicas) await begin(replica);
  return async () => {
    for (const replica of replicas) await end(replica);
  };
}

async function kill(program: { kill(): Promise<void>; start(): Promise<unknown> }) {
  await program.kill();
  return () => program.start();
}

/** The order is that of the table in the report. */
export function listFaults(cluster: DatabaseCluster, { servers }: Steward): Fault[] {
  const ofPrimary = (failure: Failure) => ({
    losesPrimary: true,
    seconds: 0,
    inject: () => breakPrimary(cluster, failure),
  });
  const ofReplicas = (failure: Failure, ...roles: string[]) => ({
    inject: () => breakReplicas(cluster, failure, roles),
  });
  return [
    { name: 'PostgreSQL of the primary killed', ...ofPrimary(crashed) },
    { name: 'machine of the primary killed', ...ofPrimary(killed) },
    { name: 'primary cut off from etcd', ...ofPrimary(cutOff) },
    { name: 'machine of the primary frozen, and awake again when it is replaced', ...ofPrimary(frozen) },
    { name: 'machine of the synchronous replica killed', seconds: 5, ...ofReplicas(killed, 'sync_standby') },
    { name: 'machine of the other replica killed', seconds: 5, ...ofReplicas(killed, 'replica') },
    { name: 'machine of the synchronous replica frozen', seconds: 8, ...ofReplicas(frozen, 'sync_standby') },
    { name: 'machine of the other replica frozen', seconds: 8, ...ofReplicas(frozen, 'replica') },
    {
      name: 'synchronous replica cut off from the primary',
      seconds: 10,
      ...ofReplicas(paused('walreceiver'), 'sync_standby'),
    },
    // Both replicas, because a connection stays with the replica that it was opened to.
    { name: 'replicas fall behind', seconds: 10, ...ofReplicas(paused('startup'), 'sync_standby', 'replica') },
    { name: 'leader of etcd killed', seconds: 5, inject: async () => kill(await cluster.findEtcdLeader()) },
    { name: 'PgBouncer killed', seconds: 1, inject: () => kill(cluster.pooler) },
    { name: 'HAProxy killed', seconds: 1, losesCalls: true, inject: () => kill(cluster.haproxy) },
    ...servers.map((server, at) => ({
      name: `Steward node ${at + 1} killed`,
      seconds: 2,
      losesCalls: true,
      inject: () => kill(server),
    })),
  ];
}

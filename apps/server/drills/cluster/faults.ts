import type { DatabaseCluster } from './cluster.ts';
import type { Steward } from './steward.ts';

export interface Fault {
  name: string;
  losesPrimary: boolean;
  /** True if pending calls get no response. */
  losesCalls?: boolean;
  /** Causes the fault. The returned function repairs it. */
  inject(): Promise<() => Promise<unknown>>;
  /** Seconds until the repair. */
  seconds: number;
}

/** The order is that of the table in the report. */
export function listFaults(cluster: DatabaseCluster, { servers }: Steward): Fault[] {
  const machine = (role: string) => async () => {
    const found = await cluster.find(role);
    await found.kill();
    return () => found.patroni.start();
  };
  const frozen = (role: string) => async () => {
    const found = await cluster.find(role);
    found.signal('SIGSTOP');
    return async () => found.signal('SIGCONT');
  };
  const other = { losesPrimary: false };
  return [
    {
      name: 'PostgreSQL of the primary killed',
      losesPrimary: true,
      // Patroni restarts it as a replica.
      seconds: 0,
      async inject() {
        const primary = await cluster.find('leader');
        primary.crashPostgres();
        return () => cluster.untilReplaced(primary);
      },
    },
    {
      name: 'machine of the primary killed',
      losesPrimary: true,
      seconds: 0,
      async inject() {
        const primary = await cluster.find('leader');
        await primary.kill();
        return async () => {
          await cluster.untilReplaced(primary);
          await primary.patroni.start();
        };
      },
    },
    {
      name: 'primary cut off from etcd',
      losesPrimary: true,
      seconds: 0,
      async inject() {
        const primary = await cluster.find('leader');
        for (const way of primary.toEtcd) way.silence();
        return async () => {
          await cluster.untilReplaced(primary);
          for (const way of primary.toEtcd) {
            // Patroni's keepalive probes would close these connections before a replacement is found, but loopback answers the
            // probes.
            way.endLost();
            way.speak();
          }
        };
      },
    },
    {
      name: 'machine of the primary frozen, and awake again when it is replaced',
      losesPrimary: true,
      seconds: 0,
      async inject() {
        const primary = await cluster.find('leader');
        primary.signal('SIGSTOP');
        return async () => {
          // It still considers itself the primary.
          await cluster.untilReplaced(primary);
          primary.signal('SIGCONT');
        };
      },
    },
    { ...other, name: 'machine of the synchronous replica killed', seconds: 5, inject: machine('sync_standby') },
    { ...other, name: 'machine of the other replica killed', seconds: 5, inject: machine('replica') },
    { ...other, name: 'machine of the synchronous replica frozen', seconds: 8, inject: frozen('sync_standby') },
    { ...other, name: 'machine of the other replica frozen', seconds: 8, inject: frozen('replica') },
    {
      ...other,
      name: 'synchronous replica cut off from the primary',
      seconds: 10,
      async inject() {
        const replica = await cluster.find('sync_standby');
        replica.signalProcess('walreceiver', 'SIGSTOP');
        return async () => replica.signalProcess('walreceiver', 'SIGCONT');
      },
    },
    {
      ...other,
      name: 'replicas fall behind',
      seconds: 10,
      async inject() {
        // Both replicas, because a connection stays with the replica that it was opened to.
        const replicas = [await cluster.find('sync_standby'), await cluster.find('replica')];
        for (const replica of replicas) replica.signalProcess('startup', 'SIGSTOP');
        return async () => {
          for (const replica of replicas) replica.signalProcess('startup', 'SIGCONT');
        };
      },
    },
    {
      ...other,
      name: 'leader of etcd killed',
      seconds: 5,
      async inject() {
        const leader = await cluster.findEtcdLeader();
        await leader.kill();
        return () => leader.start();
      },
    },
    {
      ...other,
      name: 'PgBouncer killed',
      seconds: 1,
      async inject() {
        await cluster.pooler.kill();
        return () => cluster.pooler.start();
      },
    },
    {
      ...other,
      name: 'HAProxy killed',
      losesCalls: true,
      seconds: 1,
      async inject() {
        await cluster.haproxy.kill();
        return () => cluster.haproxy.start();
      },
    },
    ...servers.map((server, at) => ({
      ...other,
      losesCalls: true,
      name: `Steward node ${at + 1} killed`,
      seconds: 2,
      async inject() {
        await server.kill();
        return () => server.start();
      },
    })),
  ];
}

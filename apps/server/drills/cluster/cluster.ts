import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Program } from '#testing/system/program.ts';
import { createLayout, type Layout, PROGRAMS } from './layout.ts';
import { copyLeftBehind, createMachine, listMembers, type Machine, untilComplete, untilReplaced } from './postgres.ts';

export type DatabaseCluster = Awaited<ReturnType<typeof startDatabaseCluster>>;

const MINUTE = 60;
const SERVERS = 3;

export async function startDatabaseCluster(say: (line: string) => void) {
  const layout = await createLayout();
  const etcd = [1, 2, 3].map((at) => createEtcd(layout, at));
  const machines = await Promise.all([1, 2, 3].map((at) => createMachine(layout, at)));
  const haproxy = createHaproxy(layout);
  const pooler = createPooler(layout);
  const withLogs = (error: Error) => {
    throw new Error(`${error.message}\n${machines.map(({ name }) => readLastLines(layout, name)).join('\n')}`);
  };
  const cluster = {
    layout,
    haproxy,
    pooler,
    urls: addresses(layout),
    /** The role is `leader`, `sync_standby` or `replica`. */
    find: (role: string) => findMachine(layout, machines, role),
    findEtcdLeader: () => findEtcdLeader(layout, etcd),
    /** Waits until another server is the primary. Fails after a minute, with the logs of Patroni. */
    untilReplaced: ({ name }: Machine) => untilReplaced(layout, name, MINUTE).catch(withLogs),
    /**
     * Waits until the cluster is complete again. After a minute, servers that can't follow the new primary are copied again;
     * after two more minutes it fails, with the logs of Patroni.
     */
    async untilComplete() {
      await untilComplete(layout, MINUTE).catch(async () => {
        for (const name of await copyLeftBehind(layout))
          say(`${name} stayed on an old timeline, and is copied anew\n${readLastLines(layout, name)}`);
        await untilComplete(layout, 2 * MINUTE).catch(withLogs);
      });
    },
    async [Symbol.asyncDispose]() {
      for (const { kill } of [pooler, haproxy]) await kill();
      for (const machine of machines) await machine[Symbol.asyncDispose]();
      for (const member of etcd) await member.kill();
      rmSync(layout.directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  try {
    say('starting etcd');
    await Promise.all(etcd.map((member) => member.start()));
    say('starting PostgreSQL under Patroni');
    for (const { patroni } of machines) await patroni.start();
    await cluster.untilComplete();
    await haproxy.start();
    await createSteward(layout);
    await pooler.start();
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

function addresses(layout: Layout) {
  const at = (port: string) => `postgres://steward:${layout.values.PASSWORD}@127.0.0.1:${layout.port(port)}/steward`;
  return { pooler: at('POOLER_PORT'), direct: at('PRIMARY_PORT'), replica: at('REPLICA_PORT') };
}

const LAST_LINES = 60;

function readLastLines(layout: Layout, name: string): string {
  return `== ${name} ==\n${readFileSync(layout.logFile(name), 'utf8').split('\n').slice(-LAST_LINES).join('\n')}`;
}

function createEtcd(layout: Layout, at: number): Program {
  const port = (name: string) => String(layout.port(`ETCD${at}_${name}_PORT`));
  const name = `etcd${at}`;
  const file = layout.configure('etcd.yml', { NAME: name, CLIENT_PORT: port('CLIENT'), PEER_PORT: port('PEER') });
  const isReady = async () => (await fetch(`http://127.0.0.1:${port('CLIENT')}/health`)).ok;
  return layout.program(name, [PROGRAMS['etcd-server'], '--config-file', file], isReady);
}

async function findEtcdLeader(layout: Layout, members: readonly Program[]): Promise<Program> {
  for (const [at, member] of members.entries()) {
    const url = `http://127.0.0.1:${layout.port(`ETCD${at + 1}_CLIENT_PORT`)}/v3/maintenance/status`;
    const response = await fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined);
    const status = (await response?.json()) as { leader?: string; header: { member_id: string } } | undefined;
    if (status?.leader !== undefined && status.leader === status.header.member_id) return member;
  }
  throw new Error('no member of etcd leads');
}

async function findMachine(layout: Layout, machines: readonly Machine[], role: string): Promise<Machine> {
  const found = (await listMembers(layout)).find((member) => member.role === role);
  const machine = machines.find(({ name }) => name === found?.name);
  if (machine === undefined) throw new Error(`no PostgreSQL server is the ${role}`);
  return machine;
}

function createHaproxy(layout: Layout): Program {
  return layout.program('haproxy', [PROGRAMS.haproxy, '-db', '-f', layout.configure('haproxy.cfg')], async () => {
    // Until its first checks have failed, HAProxy considers every server the primary.
    for (let at = 0; at < SERVERS; at += 1) await onSuperuser(layout, 'create temporary table t (c int)');
    return true;
  });
}

function createPooler(layout: Layout): Program {
  writeFileSync(join(layout.directory, 'userlist.txt'), `"steward" "${layout.values.PASSWORD}"\n`);
  const isReady = () => execute(addresses(layout).pooler, 'select 1');
  return layout.program('pgbouncer', [PROGRAMS.pgbouncer, layout.configure('pgbouncer.ini')], isReady);
}

async function createSteward(layout: Layout): Promise<void> {
  await onSuperuser(layout, `create role steward login password '${layout.values.PASSWORD}'`);
  await onSuperuser(layout, 'create database steward owner steward');
}

const onSuperuser = ({ values, port }: Layout, statement: string) =>
  execute(`postgres://postgres:${values.PASSWORD}@127.0.0.1:${port('PRIMARY_PORT')}/postgres`, statement);

async function execute(connectionString: string, statement: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
    return true;
  } finally {
    await client.end();
  }
}

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listProcesses } from '@steward/embedded-postgres/processes.ts';
import { startSilentProxy } from '#testing/faults/silent-proxy.ts';
import { type Layout, PROGRAMS } from './layout.ts';

export type Machine = Awaited<ReturnType<typeof createMachine>>;

/** Named by their process titles. */
type ReplicaProcess = 'startup' | 'walreceiver';

interface MemberState {
  name: string;
  role: string;
  state: string;
  api_url: string;
  timeline?: number;
}

/** PostgreSQL and its Patroni, like on a machine of their own. */
export async function createMachine(layout: Layout, at: number) {
  const name = `pg${at}`;
  const ports = [1, 2, 3].map((to) => layout.port(`TO_ETCD${at}_${to}_PORT`));
  const api = layout.port(`PG${at}_API_PORT`);
  const file = layout.configure('patroni.yml', {
    NAME: name,
    PORT: String(layout.port(`PG${at}_PORT`)),
    // Configured as proxies, so that Patroni doesn't bypass them with the addresses that etcd publishes.
    ETCD: `${ports.map((port) => `127.0.0.1:${port}`).join(',')}\n  use_proxies: true`,
    API_PORT: String(api),
  });
  const isReady = async () => (await fetch(`http://127.0.0.1:${api}/patroni`)).status > 0;
  const patroni = layout.program(name, [PROGRAMS.patroni, file], isReady);
  const postgres = () => listProcesses(join(layout.directory, name));
  const signalAll = (pids: number[], signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process has just ended.
      }
    }
  };
  const kill = async () => {
    const gone = patroni.kill();
    signalAll(postgres(), 'SIGKILL');
    await gone;
  };
  const toEtcd = await Promise.all(
    ports.map((port, to) =>
      startSilentProxy(() => connect(layout.port(`ETCD${to + 1}_CLIENT_PORT`), '127.0.0.1'), port),
    ),
  );
  return {
    name,
    toEtcd,
    patroni,
    kill,
    /** Sends SIGKILL to PostgreSQL only, so that Patroni notices. */
    crashPostgres: () => signalAll(postgres(), 'SIGKILL'),
    async [Symbol.asyncDispose]() {
      signalAll([patroni.pid(), ...postgres()], 'SIGCONT');
      await kill();
      for (const relay of toEtcd) await relay[Symbol.asyncDispose]();
    },
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => signalAll([patroni.pid(), ...postgres()], signal),
    /**
     * Pauses or resumes one process of a replica, which still answers reads: the one that replays, or the one that receives.
     * Patroni immediately reverts a pg_wal_replay_pause().
     */
    signalProcess: (title: ReplicaProcess, signal: 'SIGSTOP' | 'SIGCONT') =>
      signalAll(postgres().filter(isTitled(title)), signal),
  };
}

const isTitled = (title: ReplicaProcess) => (pid: number) =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`: ${title}`);

/** Asks the first Patroni that responds. */
export async function listMembers(layout: Layout): Promise<MemberState[]> {
  for (const at of [1, 2, 3]) {
    const url = `http://127.0.0.1:${layout.port(`PG${at}_API_PORT`)}/cluster`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
      return ((await response.json()) as { members: MemberState[] }).members;
    } catch {
      // This one is killed or stopped; the next one may respond.
    }
  }
  return [];
}

/** Polls the members until they are as they should be. Fails with them after so many seconds. */
async function untilMembers(layout: Layout, seconds: number, areRight: (members: MemberState[]) => boolean) {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const members = await listMembers(layout);
    if (areRight(members)) return;
    if (performance.now() > end) throw new Error(`the cluster does not recover: ${JSON.stringify(members)}`);
    await pause(200);
  }
}

export const untilReplaced = (layout: Layout, name: string, seconds: number) =>
  untilMembers(layout, seconds, (members) =>
    members.some((member) => member.role === 'leader' && member.name !== name),
  );

const isUp = ({ state }: MemberState) => state === 'running' || state === 'streaming';

export const untilComplete = (layout: Layout, seconds: number) =>
  untilMembers(layout, seconds, (members) => {
    const roles = new Set(members.map(({ role }) => role));
    const timelines = new Set(members.map(({ timeline }) => timeline));
    const isComplete = members.length === 3 && members.every(isUp) && timelines.size === 1;
    return isComplete && roles.has('leader') && roles.has('sync_standby');
  });

/**
 * Makes Patroni copy the servers that stayed on an old timeline, as an operator would with `patronictl reinit`: while an old
 * primary recovers slowly, Patroni 3.0 may fail to rewind it. Returns their names.
 */
export async function copyLeftBehind(layout: Layout): Promise<string[]> {
  const members = await listMembers(layout);
  const leader = members.find(({ role }) => role === 'leader');
  const left = members.filter(({ role, timeline }) => role !== 'leader' && timeline !== leader?.timeline);
  for (const { name, api_url } of left) {
    const response = await fetch(new URL('/reinitialize', api_url), { method: 'POST', body: '{"force": true}' });
    if (!response.ok) throw new Error(`${name} can't be copied anew: ${await response.text()}`);
  }
  return left.map(({ name }) => name);
}

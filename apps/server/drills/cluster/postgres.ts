import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listProcesses } from '@steward/embedded-postgres/processes.ts';
import { startSilentProxy } from '#testing/faults/silent-proxy.ts';
import { program } from '#testing/system/program.ts';
import { type Layout, programFile } from './layout.ts';

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
  const patroni = program(programFile('patroni'), [file], {
    cwd: layout.directory,
    logFile: join(layout.directory, `${name}.log`),
    isReady: async () => (await fetch(`http://127.0.0.1:${api}/patroni`)).status > 0,
  });
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
    ...{ name, toEtcd, patroni, kill },
    /** Sends SIGKILL to PostgreSQL only, so that Patroni notices. */
    crashPostgres: () => signalAll(postgres(), 'SIGKILL'),
    async [Symbol.asyncDispose]() {
      signalAll([patroni.pid(), ...postgres()], 'SIGCONT');
      await kill();
      for (const relay of toEtcd) await relay[Symbol.asyncDispose]();
    },
    /** Pauses or resumes both. */
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

export async function untilReplaced(layout: Layout, name: string, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const members = await listMembers(layout);
    if (members.some((member) => member.role === 'leader' && member.name !== name)) return;
    if (performance.now() > end) throw new Error(`${name} is still the primary: ${JSON.stringify(members)}`);
    await pause(200);
  }
}

const isUp = ({ state }: MemberState) => state === 'running' || state === 'streaming';

export async function untilComplete(layout: Layout, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const members = await listMembers(layout);
    const has = (role: string) => members.some((member) => member.role === role && isUp(member));
    const timelines = new Set(members.map(({ timeline }) => timeline));
    const isComplete = members.length === 3 && members.every(isUp) && timelines.size === 1;
    if (isComplete && has('leader') && has('sync_standby')) return;
    if (performance.now() > end) throw new Error(`the cluster is not complete: ${JSON.stringify(members)}`);
    await pause(200);
  }
}

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

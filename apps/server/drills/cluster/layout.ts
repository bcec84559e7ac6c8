import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@steward/embedded-postgres/location.ts';
import { fastTmpdir } from '@steward/embedded-postgres/testing/fast-tmpdir.ts';
import { findMissing, type Program, program, programAccount } from '#testing/system/program.ts';

const TEMPLATES = join(import.meta.dirname, '../../../../deploy/cluster');

/** Debian's directory of PostgreSQL. Patroni needs the server's own programs. */
const POSTGRES = '/usr/lib/postgresql/15/bin';

/** Programs of the cluster, by Debian package. PATRONI selects another Patroni. */
export const PROGRAMS = {
  patroni: process.env.PATRONI || '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  'postgresql-15': join(POSTGRES, 'postgres'),
};

export function missingPackages(): string[] {
  return Object.entries(PROGRAMS).flatMap(([name, file]) => (findMissing([file]) === undefined ? [] : [name]));
}

/** Returns the version of Patroni if it is below 3.1, which lets a former primary become leader again; see deploy/README.md. */
export function findOldPatroni(): string | undefined {
  const { stdout } = spawnSync(PROGRAMS.patroni, ['--version'], { encoding: 'utf8' });
  const [, version = '', major, minor] = /((\d+)\.(\d+)\S*)/.exec(stdout) ?? [];
  return Number(major) < 3 || (Number(major) === 3 && Number(minor) < 1) ? version : undefined;
}

export type Layout = Awaited<ReturnType<typeof createLayout>>;

const PORTS = ['PRIMARY_PORT', 'REPLICA_PORT', 'WEB_PORT', 'POOLER_PORT'];
/** `TO_ETCD1_2_PORT` is the port from the first machine to the second member of etcd. */
const TO_ETCD = [1, 2, 3].flatMap((from) => [1, 2, 3].map((to) => `TO_ETCD${from}_${to}_PORT`));
const NUMBERED = ['ETCD_CLIENT_PORT', 'ETCD_PEER_PORT', 'PG_PORT', 'PG_API_PORT', 'WEB_PORT'];

/** Returns the three names as the configuration spells them: `PG1_API_PORT`. */
const numbered = (name: string) => [1, 2, 3].map((at) => name.replace('_', `${at}_`));

/** The ports are free ones on loopback. */
export async function createLayout() {
  const directory = mkdtempSync(join(fastTmpdir(), 'cluster-'));
  const account = programAccount();
  if (account) chownSync(directory, account.uid, account.gid);
  const ports: Record<string, string> = {};
  for (const name of [...PORTS, ...TO_ETCD, ...NUMBERED.flatMap(numbered)]) ports[name] = String(await freePort());
  const list = (to: (at: number) => string) => [1, 2, 3].map(to).join(',');
  const values: Record<string, string> = {
    ...ports,
    HOST: '127.0.0.1',
    NETWORK: '127.0.0.1/32',
    DATA: directory,
    BIN: POSTGRES,
    PASSWORD: randomBytes(12).toString('hex'),
    MEMBERS: list((at) => `etcd${at}=http://127.0.0.1:${ports[`ETCD${at}_PEER_PORT`]}`),
  };
  return {
    directory,
    values,
    port: (name: string) => Number(values[name]),
    logFile: (name: string) => join(directory, `${name}.log`),
    /** Describes a program of the cluster; `name` is that of its log. */
    program(name: string, [file = '', ...args]: string[], isReady: () => Promise<boolean>): Program {
      return program(file, args, { cwd: directory, logFile: this.logFile(name), isReady });
    },
    /** Fills in a file of deploy/cluster and returns the path of the result. */
    configure: (template: string, more: Record<string, string> = {}) =>
      fillIn(template, directory, { ...values, ...more }),
  };
}

function fillIn(template: string, directory: string, values: Record<string, string>): string {
  const text = readFileSync(join(TEMPLATES, template), 'utf8').replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`deploy/cluster/${template} has no value for ${name}`);
    return value;
  });
  const file = join(directory, values.NAME === undefined ? template : `${values.NAME}.${template}`);
  writeFileSync(file, text);
  return file;
}

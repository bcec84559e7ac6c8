import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** An account of the operating system, as far as running a process under it needs. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

/** True where PostgreSQL would refuse to run under our own account. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Every account of the machine, from a file in the format of /etc/passwd. */
export function systemUsers(passwdFile = '/etc/passwd'): SystemUser[] {
  return readFileSync(passwdFile, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4 && fields[0] !== '')
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/** The unprivileged account for PostgreSQL when we are root: the one asked for, else `postgres`, else `nobody`. */
export function unprivilegedUser(wanted: string | undefined, users = systemUsers()): SystemUser {
  const named = (name: string): SystemUser | undefined => users.find((user) => user.name === name);
  const user = wanted === undefined ? (named('postgres') ?? named('nobody')) : named(wanted);
  if (user === undefined) {
    throw new Error(
      wanted === undefined
        ? 'PostgreSQL does not run as root and this machine has neither the user "postgres" nor "nobody". Name one in EMBEDDED_DB_USER.'
        : `EMBEDDED_DB_USER names the user "${wanted}", which this machine does not have.`,
    );
  }
  if (user.uid === 0)
    throw new Error(`EMBEDDED_DB_USER names "${user.name}", which is root: PostgreSQL refuses to run as root.`);
  return user;
}

/** The first of the path and its parents (outermost first) that the user may not enter; undefined when the way is free. */
export function findInaccessibleDir(path: string, user: SystemUser): string | undefined {
  const way = [path];
  for (let at = path; dirname(at) !== at; at = dirname(at)) way.unshift(dirname(at));
  return way.find((step) => !mayExecute(step, user));
}

/** Whether the user has the execute right on a file, or the right to enter a directory, by its mode alone. */
export function mayExecute(path: string, user: SystemUser): boolean {
  const { mode, uid, gid } = statSync(path);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** All accounts of the machine. */
export function systemUsers(): SystemUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4 && fields[0] !== '')
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/** The unprivileged account for PostgreSQL when we are root: `wanted`, or else `postgres` or `nobody`. */
export function unprivilegedUser(wanted: string | undefined, users = systemUsers()): SystemUser {
  const named = (name: string): SystemUser | undefined => users.find((user) => user.name === name);
  const user = wanted === undefined ? (named('postgres') ?? named('nobody')) : named(wanted);
  if (user === undefined) {
    throw new Error(
      wanted === undefined
        ? 'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody". Set EMBEDDED_DB_USER.'
        : `The user "${wanted}" in EMBEDDED_DB_USER does not exist.`,
    );
  }
  if (user.uid === 0)
    throw new Error(`The user "${user.name}" in EMBEDDED_DB_USER is root: PostgreSQL refuses to run as root.`);
  return user;
}

/** The first directory of the path, from the root, that the user can't enter; undefined if there is none. */
export function findInaccessibleDir(path: string, user: SystemUser): string | undefined {
  const steps = [path];
  for (let at = path; dirname(at) !== at; at = dirname(at)) steps.unshift(dirname(at));
  return steps.find((step) => !mayExecute(step, user));
}

/** Decides by the mode of a file or directory only, without access control lists. */
export function mayExecute(path: string, user: SystemUser): boolean {
  const { mode, uid, gid } = statSync(path);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

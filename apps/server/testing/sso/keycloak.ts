import { execFile, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@steward/embedded-postgres/location.ts';
import { findMissing as findMissingProgram } from '#testing/system/program.ts';

const VERSION = '26.5.0';
const NAME = `keycloak-${VERSION}`;
/** The distribution is 150 MB, so it is kept for the next run. */
const KEPT = join(tmpdir(), 'steward-keycloak');
const run = promisify(execFile);

interface KeycloakUser {
  email: string;
  firstName: string;
  lastName: string;
  group?: string;
}

const CLIENT = { clientId: 'steward', secret: 'a secret of the client', password: 'correct horse battery' };

/** Returns the reason why Keycloak can't run here; undefined if it can. */
export function findMissing(): string | undefined {
  const missing = findMissingProgram(['java', 'mvn', 'unzip']);
  return missing && `${missing} is not installed`;
}

async function unpack(directory: string): Promise<string> {
  const zip = join(KEPT, `keycloak-quarkus-dist-${VERSION}.zip`);
  if (!existsSync(zip)) {
    const fresh = mkdtempSync(join(tmpdir(), 'steward-keycloak-'));
    const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
    const artifact = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
    await run('mvn', ['-q', '-B', copy, artifact, `-DoutputDirectory=${fresh}`]);
    mkdirSync(KEPT, { recursive: true });
    renameSync(join(fresh, `keycloak-quarkus-dist-${VERSION}.zip`), zip);
    rmSync(fresh, { recursive: true });
  }
  await run('unzip', ['-q', zip, '-d', directory]);
  return join(directory, NAME);
}

export type Keycloak = Awaited<ReturnType<typeof startKeycloak>>;

/**
 * A Keycloak with a realm and users, without a client at first. Uses 127.0.0.1, which is another site than `localhost`, where the
 * portal is.
 */
export async function startKeycloak(users: readonly KeycloakUser[]) {
  const directory = mkdtempSync(join(tmpdir(), 'steward-keycloak-run-'));
  const home = await unpack(directory);
  mkdirSync(join(home, 'data/import'), { recursive: true });
  writeFileSync(join(home, 'data/import/company-realm.json'), JSON.stringify(describeRealm(users)));
  const port = await freePort();
  const { child, isStarted } = launch(home, { port, directory });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
  };
  await isStarted;
  const base = `http://127.0.0.1:${port}`;
  return {
    ...CLIENT,
    issuer: `${base}/realms/company`,
    /** Needs the addresses of the client. ID tokens contain the user's groups in the claim `groups`. */
    addClient: (addresses: Addresses) => administer<void>(base, 'clients', describeClient(addresses)),
    /** Ends a user's sessions like an admin of the realm. */
    async logOut(email: string) {
      const found = await administer<{ id: string }[]>(base, `users?exact=true&username=${encodeURIComponent(email)}`);
      for (const { id } of found) await administer(base, `users/${id}/logout`, {});
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function launch(home: string, { port, directory }: { port: number; directory: string }) {
  const log = createWriteStream(join(directory, 'log'));
  const options = ['start-dev', '--import-realm', '--http-host=127.0.0.1', `--http-port=${port}`];
  const child = spawn(join(home, 'bin/kc.sh'), options, {
    env: { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin' },
    detached: true,
  });
  const isStarted = new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`Keycloak ended with ${code}; see ${directory}/log`)));
    child.stdout.on('data', (part: Buffer) => {
      log.write(part);
      if (part.toString().includes('Listening on')) resolve();
    });
    child.stderr.pipe(log);
  });
  return { child, isStarted };
}

function describeRealm(users: readonly KeycloakUser[]) {
  const groups = new Set(users.flatMap(({ group }) => group ?? []));
  return {
    realm: 'company',
    enabled: true,
    sslRequired: 'none',
    groups: [...groups].map((name) => ({ name })),
    users: users.map(({ group, ...user }) => ({
      ...user,
      username: user.email,
      emailVerified: true,
      enabled: true,
      groups: group === undefined ? [] : [`/${group}`],
      credentials: [{ type: 'password', value: CLIENT.password, temporary: false }],
    })),
  };
}

interface Addresses {
  redirectUri: string;
  logoutUri: string;
}

function describeClient({ redirectUri, logoutUri }: Addresses) {
  return {
    clientId: CLIENT.clientId,
    secret: CLIENT.secret,
    protocol: 'openid-connect',
    publicClient: false,
    standardFlowEnabled: true,
    redirectUris: [redirectUri],
    attributes: { 'backchannel.logout.url': logoutUri, 'backchannel.logout.session.required': 'true' },
    protocolMappers: [
      {
        name: 'groups',
        protocol: 'openid-connect',
        protocolMapper: 'oidc-group-membership-mapper',
        config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
      },
    ],
  };
}

/** Calls the admin API of the realm: GET, or POST with `body`. */
async function administer<Answer>(base: string, path: string, body?: object): Promise<Answer> {
  const form = { client_id: 'admin-cli', grant_type: 'password', username: 'admin', password: 'admin' };
  const token = await fetch(`${base}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${base}/admin/realms/company/${path}`, { headers, ...sent });
  const text = await response.text();
  if (!response.ok) throw new Error(`Keycloak answered ${response.status} to ${path}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

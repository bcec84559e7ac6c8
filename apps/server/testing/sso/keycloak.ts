import { execFile, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '26.5.0';
const NAME = `keycloak-${VERSION}`;
/** The distribution is 150 MB: it is kept for the next run. */
const KEPT = join(tmpdir(), 'steward-keycloak');
const run = promisify(execFile);

/** A Keycloak with a realm, a client and a user. */
export interface Keycloak extends AsyncDisposable {
  issuer: string;
  /** Ends the sessions of the user, as an admin of the realm would. */
  logOut(): Promise<void>;
}

/** Why Keycloak can't be run here; undefined if it can. */
export async function findMissing(): Promise<string | undefined> {
  for (const tool of ['java', 'mvn', 'unzip'])
    if (!(await run('which', [tool]).catch(() => undefined))) return `${tool} is not installed`;
  return undefined;
}

/** Puts the distribution of Maven Central into a directory of its own. */
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

/** Starts one on loopback with this realm. */
export async function startKeycloak(
  realm: { clientId: string; secret: string; redirectUri: string; logoutUri: string; email: string; password: string },
  port: number,
): Promise<Keycloak> {
  const directory = mkdtempSync(join(tmpdir(), 'steward-keycloak-run-'));
  const home = await unpack(directory);
  mkdirSync(join(home, 'data/import'), { recursive: true });
  writeFileSync(join(home, 'data/import/company-realm.json'), JSON.stringify(describeRealm(realm)));
  const log = createWriteStream(join(directory, 'log'));
  const options = ['start-dev', '--import-realm', '--http-host=127.0.0.1', `--http-port=${port}`];
  const child = spawn(join(home, 'bin/kc.sh'), options, {
    env: { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin' },
    detached: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`Keycloak ended with ${code}; see ${directory}/log`)));
    child.stdout.on('data', (part: Buffer) => {
      log.write(part);
      if (part.toString().includes('Listening on')) resolve();
    });
    child.stderr.pipe(log);
  });
  const base = `http://127.0.0.1:${port}`;
  return {
    issuer: `${base}/realms/company`,
    logOut: () => logOut(base),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function describeRealm({
  clientId,
  secret,
  redirectUri,
  logoutUri,
  email,
  password,
}: Parameters<typeof startKeycloak>[0]) {
  return {
    realm: 'company',
    enabled: true,
    sslRequired: 'none',
    clients: [
      {
        clientId,
        secret,
        protocol: 'openid-connect',
        publicClient: false,
        standardFlowEnabled: true,
        redirectUris: [redirectUri],
        attributes: { 'backchannel.logout.url': logoutUri, 'backchannel.logout.session.required': 'true' },
      },
    ],
    users: [
      {
        username: email,
        email,
        emailVerified: true,
        enabled: true,
        firstName: 'Ada',
        lastName: 'Lovelace',
        credentials: [{ type: 'password', value: password, temporary: false }],
      },
    ],
  };
}

async function logOut(base: string): Promise<void> {
  const form = { client_id: 'admin-cli', grant_type: 'password', username: 'admin', password: 'admin' };
  const token = await fetch(`${base}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const users = (await (await fetch(`${base}/admin/realms/company/users`, { headers })).json()) as { id: string }[];
  for (const { id } of users)
    await fetch(`${base}/admin/realms/company/users/${id}/logout`, { method: 'POST', headers });
}

/** A port of loopback that is free now. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Env, parseServerEnv } from '#platform/env.ts';
import { isLoopbackHost } from '#platform/http/local.ts';
import { getDevMailPath } from '#platform/mail/dev-mail.ts';
import { createLog, type Logger } from '#platform/observability/log.ts';
import { formatFailure } from './format-failure.ts';
import { type RunningServer, startServer } from './start.ts';

const repository = resolve(import.meta.dirname, '../../../..');

/** Runs the server until a signal, then exits. A failed start is reported in one line. */
export async function run(): Promise<void> {
  try {
    const env = parseServerEnv(undefined, repository);
    // At a terminal only the welcome matters; pipes get every log line.
    const log = createLog(env.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'));
    const portalDirectory = resolve(repository, 'apps/portal/dist');
    const portal = existsSync(portalDirectory) ? { portalDirectory } : {};
    const starting = startServer({ env, log, repository, ...portal });
    stopOnSignal(starting, log);
    const server = await starting;
    exitOnUncaughtError(log, server.stop);
    // Not logged, because the password and the token must not be stored.
    process.stdout.write(welcome(env, server));
  } catch (error) {
    process.stderr.write(`${formatFailure(error)}\n`);
    process.exit(1);
  }
}

function welcome(env: Env, { demo, setUpPath, url, deps }: RunningServer): string {
  const address = env.PORT === 0 && !env.PUBLIC_URL ? url : env.publicUrl;
  const lines = [`${env.PRODUCT_NAME} is at ${address}`];
  if (demo) {
    lines.push(
      '',
      'Created a demo workspace. Sign in with',
      `  email     ${demo.email}`,
      `  password  ${demo.password}`,
    );
    lines.push(
      'This password is shown only once. To set a new one: npm run workspace -- reset-password --email <email>',
    );
  }
  if (env.embedded && !env.smtp) {
    const isHere = isLoopbackHost(new URL(env.publicUrl).hostname);
    const kept = 'Outgoing email is kept in the data directory, since SMTP_URL is not set';
    lines.push('', isHere ? `Outgoing email is captured at ${address}${getDevMailPath(deps.secrets)}` : kept);
  }
  const setUp = setUpPath === undefined ? '' : `Set up: ${address}${setUpPath}\n\n`;
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n${setUp}`;
}

/**
 * Exits after an uncaught error, since the state of the process is unknown: logs one line, stops accepting requests, finishes
 * the current ones, and exits with code 1 so that a supervisor restarts the server.
 */
export function exitOnUncaughtError(log: Logger, stop: () => Promise<void>): void {
  let exiting = false;
  const exit = async (error: unknown, kind: string) => {
    log.fatal({ err: error }, kind);
    if (exiting) return;
    exiting = true;
    await stop().catch((failed: unknown) => log.error({ err: failed }, 'stop failed'));
    process.exit(1);
  };
  process.on('uncaughtException', (error, origin) => void exit(error, `${origin}: the server stops`));
}

/** Stops the server on SIGINT, SIGTERM or SIGHUP, which a closed terminal sends, then exits. */
export function stopOnSignal(starting: Promise<RunningServer>, log: Logger): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    // Under npm, Ctrl-C arrives twice: from the terminal and from npm itself.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    try {
      // Lets a start in progress finish first: interrupted, it would leave PostgreSQL running.
      await (await starting).stop();
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'stop failed');
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, (name) => void stop(name));
}

import type { Writable } from 'node:stream';
import { formatFailure } from '@steward/server/src/app/format-failure.ts';
import { createTeam } from './access/create-team.ts';
import { createToken } from './access/create-token.ts';
import { endAllSessions } from './access/end-sessions.ts';
import { resetPassword } from './access/reset-password.ts';
import { rotateKey } from './access/rotate-key.ts';
import { audit } from './audit/audit.ts';
import { backup } from './backup/backup.ts';
import { restoreBackup } from './backup/restore.ts';
import { type Command, formatHelp, Mistake, readOptions } from './command.ts';
import { connect, connections, disconnect, newConnectorToken } from './connections/connections.ts';
import { fill } from './fill/fill.ts';
import { failedJobs } from './maintenance/failed-jobs.ts';
import { mails } from './maintenance/mails.ts';
import { migrateDatabase } from './maintenance/migrate-database.ts';
import { retentionRun } from './maintenance/retention-run.ts';
import { withWorkspace } from './open-workspace.ts';
import { resetFactorsCommand } from './sign-in/reset-factors.ts';
import { securityOff } from './sign-in/security-off.ts';
import { ssoOff } from './sign-in/sso-off.ts';

const COMMANDS: Record<string, Command> = {
  'create-team': createTeam,
  'create-token': createToken,
  fill,
  'retention-run': retentionRun,
  'reset-password': resetPassword,
  'reset-factors': resetFactorsCommand,
  'rotate-key': rotateKey,
  'end-sessions': endAllSessions,
  'security-off': securityOff,
  'sso-off': ssoOff,
  connect,
  connections,
  'connector-token': newConnectorToken,
  disconnect,
  backup,
  restore: restoreBackup,
  mails,
  audit,
  'failed-jobs': failedJobs,
  migrate: migrateDatabase,
};

/** What a command has from its process. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  stdout: Writable;
  stderr: Writable;
}

export async function runCommand(line: readonly string[], { env, stdout, stderr }: Surroundings): Promise<number> {
  const say = (text: string) => void stderr.write(`${text}\n`);
  try {
    return await run(line, { env, stdout, say });
  } catch (error) {
    say(formatFailure(error));
    if (error instanceof Mistake) say('See npm run workspace -- --help');
    return 1;
  }
}

interface Output {
  env: NodeJS.ProcessEnv;
  stdout: Writable;
  say: (text: string) => void;
}

async function run([name, ...args]: readonly string[], { env, stdout, say }: Output): Promise<number> {
  const answer = (text: string) => {
    stdout.write(`${text}\n`);
    return 0;
  };
  if (name === undefined || name === '--help' || name === 'help') return answer(overview());
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new Mistake(`Unknown command ${name}. Commands: ${Object.keys(COMMANDS).join(', ')}.`);
  const given = readOptions(command, args);
  if (given.switches.has('help')) return answer(formatHelp(name, command));
  const work = command.prepare(given);
  const { result, lines, failed } = await withWorkspace(env, (workspace) => work(workspace, say, stdout), command);
  if (given.switches.has('json')) answer(JSON.stringify(result));
  else if (lines.length > 0) answer(lines.join('\n'));
  return failed ? 1 : 0;
}

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'npm run workspace -- <command> [options]',
    '',
    ...rows,
    '',
    'Each command has --help and --json. Commands use the database given by DATABASE_URL or DATA_DIR, whether or not a',
    'server is running. To print only JSON, use npm run --silent workspace -- …',
  ].join('\n');
}

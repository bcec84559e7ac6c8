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
  backup,
  restore: restoreBackup,
  mails,
  audit,
  'failed-jobs': failedJobs,
  migrate: migrateDatabase,
};

const say = (line: string) => void process.stderr.write(`${line}\n`);
const answer = (text: string) => void process.stdout.write(`${text}\n`);

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

async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === 'help') return answer(overview());
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new Mistake(`Unknown command ${name}. Commands: ${Object.keys(COMMANDS).join(', ')}.`);
  const given = readOptions(command, args);
  if (given.switches.has('help')) return answer(formatHelp(name, command));
  const work = command.prepare(given);
  const { result, lines, failed } = await withWorkspace((workspace) => work(workspace, say), command);
  if (given.switches.has('json')) answer(JSON.stringify(result));
  else if (lines.length > 0) answer(lines.join('\n'));
  if (failed) process.exitCode = 1;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  say(formatFailure(error));
  if (error instanceof Mistake) say('See npm run workspace -- --help');
  process.exitCode = 1;
}

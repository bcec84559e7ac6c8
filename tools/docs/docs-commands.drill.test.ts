// Every command of the documentation runs in a new workspace.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDir } from '@steward/embedded-postgres/testing/temporary-cluster.ts';
import { programFile } from '@steward/server/testing/app/programs.ts';
import { testDatabase } from '@steward/server/testing/database/template-database.ts';
import { test } from 'vitest';
import { type DocCommand, filledIn, parseCommands, placeholdersIn, readyWhen } from './docs-commands.ts';
import { type Running, runLine, startLine } from './docs-shell.ts';

const root = join(import.meta.dirname, '../..');
const PAGES = ['README.md', ...globSync(['docs/*.md', 'docs/guide/*.md', 'deploy/*.md'], { cwd: root }).sort()];
/** The built programs start three times faster. One command each runs as the pages write it. */
const WORKSPACE = `${process.execPath} ${programFile('workspace')}`;
const SERVER = `exec ${process.execPath} ${programFile('server')}`;
/** A machine may lack these programs, and then their commands are skipped. */
const MAY_BE_ABSENT = ['curl'];

/** The directory links to the repository's first level, so that commands create new files here. */
function createDirectory(path: string): string {
  const directory = join(path, 'steward');
  mkdirSync(directory);
  mkdirSync(join(path, 'srv'));
  for (const name of readdirSync(root).filter((entry) => entry !== '.git' && entry !== 'var'))
    symlinkSync(join(root, name), join(directory, name));
  const note = { kind: 'note', external_id: 'note-1', created_at: 1_767_225_600_000, title: 'A note' };
  writeFileSync(join(directory, 'content.ndjson'), `${JSON.stringify(note)}\n`);
  return directory;
}

/** Runs each command once while `npm start` runs; returns the failures. */
async function runAll(commands: readonly DocCommand[], path: string, databaseUrl: string) {
  const cwd = createDirectory(path);
  const home = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const env: Record<string, string> = { ...home, DATA_DIR: join(path, 'data'), PORT: '0' };
  const byUrl = {
    ...env,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: '5e'.repeat(32),
    ALLOW_INSECURE: '1',
    DATA_DIR: join(path, 'url'),
  };
  const server = await startLine('exec npm start', readyWhen('npm start') ?? /./, { cwd, env });
  const failed: string[] = [];
  try {
    const made = await getFacts(cwd, env);
    Object.assign(env, { TEAM: made.team, TOKEN: made.token });
    const here = getReplacements(server, { path, databaseUrl, ...made });
    const ran = new Set([filledIn('npm start', here)]);
    for (const command of commands) {
      const script = filledIn([...command.exports, command.text].join('\n'), here);
      if (ran.has(script)) continue;
      ran.add(script);
      const left = placeholdersIn(script);
      const problem =
        left.length > 0 ? `has no value for ${left}` : await runOne(script, command.text, { cwd, env, byUrl });
      if (problem) failed.push(`${command.page}:${command.line}: ${command.text}\n${problem}`);
    }
  } finally {
    await server.stop();
  }
  return failed;
}

async function getFacts(
  cwd: string,
  env: Record<string, string>,
): Promise<Record<'team' | 'token' | 'connection', string>> {
  const command = async (line: string, program = WORKSPACE) => {
    const { code, said } = await runLine(`${program} ${line} --json`, { cwd, env });
    assert.equal(code, 0, said);
    return JSON.parse(said) as Record<string, string>;
  };
  const creating = 'create-team --name Pages --owner-email pages@example.com';
  const { team_id: team = '' } = await command(creating, 'npm --silent run workspace --');
  const { token = '' } = await command(`create-token --team ${team}`);
  const { id: connection = '' } = await command(`connect mattermost --name Chat --map pages=${team}`);
  return { team, token, connection };
}

/** Maps example values of the pages to real ones. */
function getReplacements(
  { address }: Running,
  { path, databaseUrl, team, connection }: Record<'path' | 'databaseUrl' | 'team' | 'connection', string>,
) {
  return [
    ['https://steward.example', address],
    ['http://localhost:8065', address],
    ['postgres://steward:secret@db.example/steward', databaseUrl],
    [/(?<=^|[\s='"/])\/srv\//g, `${path}/srv/`],
    [/\bPORT=\d+/g, 'PORT=0'],
    [/(?<=\bnpm run (helpdesk|mattermost)-simulator)$/g, ' -- --port 0'],
    ['<team of the server>', 'remote'],
    ['<connection>', connection],
    ['<team>', team],
    ['<id>', team],
    ['<email>', 'pages@example.com'],
    ['-- …', '-- mails'],
    [/\bnpm (?:--silent )?run (?:--silent )?workspace --(?= )/g, WORKSPACE],
    [/\bnpm start$/g, SERVER],
  ] as const;
}

type Places = Record<'env' | 'byUrl', Record<string, string>> & { cwd: string };

async function runOne(script: string, text: string, { cwd, env, byUrl }: Places): Promise<string | undefined> {
  const ready = readyWhen(text);
  if (ready === undefined) {
    const { code, said } = await runLine(script, { cwd, env });
    return code === 0 ? undefined : `ended with ${code}:\n${said}`;
  }
  try {
    // exec replaces the shell, so that the signal reaches npm.
    const running = await startLine(script.replace(/\bnpm (?=start|run)/, 'exec npm '), ready, { cwd, env: byUrl });
    await running.stop();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** These commands must fail in the same run, to prove that failures are found. */
const PLANTED = [
  'npm run workspace -- melt',
  'npm run workspace -- fill --team <missing>',
  'false | cat',
  'no-such-program',
];

test('every command of the README and docs succeeds or is skipped for a reason', async () => {
  const pages = PAGES.map((page) => parseCommands(page, readFileSync(join(root, page), 'utf8')));
  assert.deepEqual(
    pages.flatMap(({ problems }) => problems),
    [],
  );
  const commands = pages.flatMap((page) => page.commands);
  const absent = MAY_BE_ABSENT.filter((program) => spawnSync(program, ['--version']).error);
  const here = commands.filter(({ text }) => !absent.some((program) => text.startsWith(program)));
  for (const { page, line, reason } of pages.flatMap(({ leftOut }) => leftOut))
    console.log(`skipped: ${page}:${line}: ${reason}`);
  console.log(
    `${here.length} of ${commands.length} commands are run${absent.length > 0 ? `; there is no ${absent}` : ''}`,
  );
  assert.ok(here.length > 10, 'the check found no commands');
  await using dir = temporaryDir();
  await using database = await testDatabase();
  const planted = PLANTED.map((text) => ({ page: 'planted', line: 0, text, exports: [] }));
  const failed = await runAll([...here, ...planted], dir.path, database.url);
  assert.deepEqual(
    failed.filter((line) => !line.startsWith('planted')),
    [],
  );
  assert.equal(failed.length, PLANTED.length, failed.join('\n'));
});

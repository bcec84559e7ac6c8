import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { createTeam } from './access/create-team.ts';
import { resetPassword } from './access/reset-password.ts';
import { backup } from './backup/backup.ts';
import { formatHelp, Mistake, readOptions } from './command.ts';
import { fill } from './fill/fill.ts';

const TEAM = 'a'.repeat(26);

const WRONG: [RegExp, typeof fill, string[]][] = [
  [/--polls/, fill, ['--team', TEAM, '--users', '5', '--polls', '5']],
  [/'stray'/, fill, ['--team', TEAM, '--users', '5', 'stray']],
  [/Missing option: --team/, fill, ['--users', '5']],
  [/--team can be used only once/, fill, ['--users', '5', '--team', TEAM, '--team', TEAM]],
  [/--team is not an id/, fill, ['--team', 'nonsense', '--users', '5']],
  [/--users must be a whole number/, fill, ['--team', TEAM, '--users', '1.5']],
  [/--users must be at most/, fill, ['--team', TEAM, '--users', '10000001']],
  [/--channels must be at most/, fill, ['--team', TEAM, '--channels', '10001']],
  [/--until is not a day/, fill, ['--team', TEAM, '--messages', '5', '--until', 'yesterday']],
  [/--until is not a day/, fill, ['--team', TEAM, '--messages', '5', '--until', '2026-02-30']],
  [/--until must not be before/, fill, ['--team', TEAM, '--messages', '5', '--until', '1979-12-31']],
  [/--seed must be a whole number/, fill, ['--team', TEAM, '--users', '5', '--seed', 'x']],
  [/--name is required/, createTeam, ['--name', ' ', '--owner-email', 'a@b.example']],
  [/--owner-email is not an email address/, createTeam, ['--name', 'A', '--owner-email', 'a']],
  [
    /--time-zone is not a time zone/,
    createTeam,
    ['--name', 'A', '--owner-email', 'a@b.example', '--time-zone', 'Mars'],
  ],
  [/at least 8/, createTeam, ['--name', 'A', '--owner-email', 'a@b.example', '--owner-password', 'short']],
  [/is too common/, createTeam, ['--name', 'A', '--owner-email', 'a@b.example', '--owner-password', 'Password']],
  [/Missing option: --email/, resetPassword, ['--password']],
  [/Missing argument: <file>/, backup, []],
  [/Only one <file> is allowed/, backup, ['a', 'b']],
];

describe('what is typed after a command', () => {
  for (const [what, command, args] of WRONG) {
    it(`is refused before anything is opened: ${args.join(' ')}`, () => {
      assert.throws(
        () => command.prepare(readOptions(command, args)),
        (error) => error instanceof Mistake && what.test(error.message) && !error.message.includes('\n'),
      );
    });
  }

  it('may be a mere --help, whatever else is missing', () => {
    assert.ok(readOptions(fill, ['--help']).switches.has('help'));
    for (const [name, { help }] of Object.entries(fill.options)) {
      const row = formatHelp('fill', fill)
        .split('\n')
        .find((line) => line.includes(`--${name} <`));
      assert.ok(row?.includes(help), name);
    }
  });
});

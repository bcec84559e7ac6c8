import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createSignInsCsv } from './sign-ins.csv.ts';

const ID = 'a'.repeat(26);

test('the sign-in log as CSV has one line per row, with formulas neutralized', async () => {
  const csv = createSignInsCsv();
  csv.add([
    {
      id: ID,
      at: Date.UTC(2026, 2, 2, 9, 41),
      user_id: ID,
      email: '=cmd@example.test',
      first_name: '=HYPERLINK("x")',
      last_name: '@SUM(1)',
      outcome: 'bad_password',
      method: 'password',
      address: '2001:db8::1',
      device: 'Firefox on Linux',
      request_id: '-r1',
    },
  ]);
  const [, line, end] = (await csv.finish().text()).split('\r\n');
  const who = `"'=HYPERLINK(""x"")",'@SUM(1),'=cmd@example.test`;
  const what = 'Wrong password,Password,Firefox on Linux,2001:db8::1,bad_password';
  assert.equal(line, `2026-03-02T09:41:00.000Z,${who},${what},${ID},'-r1`);
  assert.equal(end, '');
});

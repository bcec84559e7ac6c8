import type { Bench } from '../bench.ts';
import type { Team } from '../setup/database.ts';
import { type Client, openClient } from '../setup/load.ts';
import { signIn, startServer } from '../setup/server.ts';
import { boundFigure, type Figure, median, timed } from '../setup/statistics.ts';

const TIMES = { whole: 15, quick: 7 };
const CHINESE = '王小明';

const TEXTS = [
  'a',
  'an',
  'zoe',
  'anna mueller',
  'Anna Müller',
  CHINESE,
  '小',
  '0142',
  '(415) 555-0142',
  '4155550142',
  'qqxxqq',
];

export function searchSmall(bench: Bench): Promise<Figure[]> {
  return searchTeam(bench, bench.small, (figures) =>
    figures.map(({ text, ...measured }) =>
      // Folding removes accents, so they don't shorten a text.
      toFigure(measured, /[\p{L}\p{M}]{3}|\d{3}/u.test(text) ? 20 : 60),
    ),
  );
}

export function searchLarge(bench: Bench): Promise<Figure[]> {
  return searchTeam(bench, bench.large, (figures) => {
    const all = {
      what: 'median of all texts',
      ours: median(figures.map(({ ours }) => ours)),
      beside: median(figures.map(({ beside }) => beside)),
    };
    return [toFigure(all, 100), ...figures.map((measured) => toFigure(measured, 500))];
  });
}

interface Measured {
  what: string;
  ours: number;
  /** The same list without a search. */
  beside: number;
}

function toFigure({ what, ours, beside }: Measured, max: number): Figure {
  return boundFigure(what, ours, { max, unit: 'ms', reference: { is: 'first page without a search', value: beside } });
}

/** One client searches, one call after another, alternating with first pages. */
async function searchTeam(
  bench: Bench,
  team: Team,
  toFigures: (measured: (Measured & { text: string })[]) => Figure[],
): Promise<Figure[]> {
  await using server = await startServer(bench.database);
  const cookie = await signIn(server, team);
  const client = openClient(server.port);
  const users = `/api/v4/admin/teams/${team.id}/users`;
  const entries = `/api/v4/teams/${team.id}/compdir`;
  await addChineseNames(client, { users, entries, cookie });
  const figures: Figure[] = [];
  for (const [name, path] of [
    ['users', users],
    ['entries', entries],
  ] as const) {
    const measured: (Measured & { text: string })[] = [];
    for (const text of TEXTS) {
      const call = { path: `${path}?search=${encodeURIComponent(text)}`, cookie };
      const { records } = await client.json(call);
      const found = records.length === 100 ? '100 or more' : String(records.length);
      const times = { ours: [] as number[], beside: [] as number[] };
      for (let time = 0; time < (bench.isQuick ? TIMES.quick : TIMES.whole); time += 1) {
        times.ours.push(await timed(() => client.json(call)));
        times.beside.push(await timed(() => client.json({ path, cookie })));
      }
      const what = `${name} “${text}”, ${found} found`;
      measured.push({ text, what, ours: median(times.ours), beside: median(times.beside) });
    }
    figures.push(...toFigures(measured));
  }
  client.close();
  return figures;
}

/** Generated users have no such names. */
async function addChineseNames(client: Client, at: { users: string; entries: string; cookie: string }): Promise<void> {
  const { users, entries, cookie } = at;
  const post = (path: string, body: unknown) => client.json({ path, method: 'POST', cookie, body });
  const isThere = async (path: string) =>
    (await client.json({ path: `${path}?search=${encodeURIComponent(CHINESE)}`, cookie })).records.length > 0;
  if (!(await isThere(entries))) await post(entries, [{ name: CHINESE, phone_number: '', sms: '', email: '' }]);
  if (!(await isThere(users)))
    await post(users, {
      email: `wang-${Date.now()}@bench.steward.example`,
      account_type: 2,
      first_name: CHINESE,
      last_name: '李',
    });
}

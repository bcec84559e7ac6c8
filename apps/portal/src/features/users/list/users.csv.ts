import { PROFILE_FIELDS, PROFILE_TEXTS, type User } from '@steward/contract/users';
import { accountKind } from '@steward/contract/users/roles';
import { CSV_BOM, csvDate, writeCsvCell, writeCsvRow } from '#platform/csv/csv.ts';

const COLUMNS = [
  ...PROFILE_FIELDS.map((name) => PROFILE_TEXTS[name].column),
  'Email',
  'Account Type',
  'CreateAt',
  'UpdateAt',
];

/** `apps` are the apps that were known when the rows were written; `lengths` are the lengths of the rows, including line ends. */
interface Chunk {
  text: Blob;
  apps: readonly string[];
  lengths: Uint32Array;
}

/** The file is built page by page. */
export interface UsersCsv {
  add(users: readonly User[]): void;
  /** Yields to the event loop between chunks, so that the tab stays responsive. */
  finish(): Promise<Blob>;
}

/**
 * The full list of apps is known only at the end, so every page is written with the apps seen so far, as a Blob that
 * the browser may keep out of memory. Finally, only the pages that missed a later app are written again.
 */
export function createUsersCsv(): UsersCsv {
  const seen = new Set<string>();
  const chunks: Chunk[] = [];
  return {
    add(users) {
      for (const user of users) for (const app of Object.keys(user.apps)) seen.add(app);
      const apps = [...seen].sort();
      const rows = users.map((user) => toCells(user, apps));
      chunks.push({ text: new Blob([rows.join('')]), apps, lengths: Uint32Array.from(rows, (row) => row.length) });
    },
    async finish() {
      const apps = [...seen].sort();
      const parts: BlobPart[] = [CSV_BOM, writeCsvRow([...COLUMNS, ...apps])];
      for (const chunk of chunks) {
        parts.push(chunk.apps.length === apps.length ? chunk.text : new Blob([await widen(chunk, apps)]));
      }
      return new Blob(parts, { type: 'text/csv;charset=utf-8' });
    },
  };
}

function toCells(user: User, apps: readonly string[]): string {
  const texts = [...PROFILE_FIELDS.map((name) => user[name]), user.email].map(writeCsvCell);
  let row = `${texts.join()},${accountKind(user)},${csvDate(user.create_at)},${csvDate(user.update_at)}`;
  for (const app of apps) row += user.apps[app] === true ? ',1' : ',0';
  return `${row}\r\n`;
}

/** An app that first appears later is off in all earlier rows: `,0` is inserted at its position among the last cells. */
async function widen(chunk: Chunk, apps: readonly string[]): Promise<string> {
  const text = await chunk.text.text();
  const places = apps.map((app) => chunk.apps.indexOf(app));
  const rows: string[] = [];
  let end = 0;
  for (const length of chunk.lengths) {
    end += length;
    const marks = end - 2 - 2 * chunk.apps.length;
    const cells = places.map((place) => (place < 0 ? ',0' : text.slice(marks + 2 * place, marks + 2 * place + 2)));
    rows.push(`${text.slice(end - length, marks)}${cells.join('')}\r\n`);
  }
  return rows.join('');
}

import type { ListedUser } from '@steward/contract/users';
import { accountKind, type MemberState } from '@steward/contract/users/roles';
import { CSV_BOM, csvDate, writeCsvCell, writeCsvRow } from '#platform/csv/csv.ts';

const COLUMNS = ['First Name', 'Last Name', 'Email', 'Account Type', 'CreateAt', 'UpdateAt'];
// After the apps: files of before keep their columns and order.
const LAST_COLUMNS = ['State', 'Joined', 'Last active'];

const STATES: Record<MemberState, string> = { active: 'Active', invited: 'Invited', deactivated: 'Deactivated' };

/** Rows written while the apps in `apps` were known; `lengths` are those of the rows, line ends included, and of what follows the apps. */
interface Chunk {
  text: Blob;
  apps: readonly string[];
  lengths: Uint32Array;
  tails: Uint8Array;
}

/** The file of people (spec §9), built a page at a time. */
export interface UsersCsv {
  add(people: readonly ListedUser[]): void;
  /** The whole file; takes a breath between chunks, so that the tab stays alive. */
  finish(): Promise<Blob>;
}

/**
 * Which apps there are is known only at the end, so every page is written with those seen so far, as a Blob that the
 * browser may keep out of memory. At the end only the pages that missed a later app are written again.
 */
export function createUsersCsv(): UsersCsv {
  const seen = new Set<string>();
  const chunks: Chunk[] = [];
  return {
    add(people) {
      for (const person of people) for (const app of Object.keys(person.apps)) seen.add(app);
      const apps = [...seen].sort();
      const tails = people.map(personTail);
      const rows = people.map((person, at) => personRow(person, apps) + tails[at]);
      chunks.push({
        ...{ text: new Blob([rows.join('')]), apps },
        lengths: Uint32Array.from(rows, (row) => row.length),
        tails: Uint8Array.from(tails, (tail) => tail.length),
      });
    },
    async finish() {
      const apps = [...seen].sort();
      const parts: BlobPart[] = [CSV_BOM, writeCsvRow([...COLUMNS, ...apps, ...LAST_COLUMNS])];
      for (const chunk of chunks) {
        parts.push(chunk.apps.length === apps.length ? chunk.text : new Blob([await widen(chunk, apps)]));
      }
      return new Blob(parts, { type: 'text/csv;charset=utf-8' });
    },
  };
}

function personRow(person: ListedUser, apps: readonly string[]): string {
  let row = `${writeCsvCell(person.first_name)},${writeCsvCell(person.last_name)},${writeCsvCell(person.email)},`;
  row += `${accountKind(person)},${csvDate(person.create_at)},${csvDate(person.update_at)}`;
  for (const app of apps) row += person.apps[app] === true ? ',1' : ',0';
  return row;
}

/** What follows the apps, line end included. Nothing in it is typed by anybody. */
function personTail({ state, joined_at, last_active_at }: ListedUser): string {
  const date = (at: number | null) => (at === null ? '' : csvDate(at));
  return `,${STATES[state]},${date(joined_at)},${date(last_active_at)}\r\n`;
}

/** An app that first appears later is off in all earlier rows: `,0` is inserted at its position among the apps. */
async function widen(chunk: Chunk, apps: readonly string[]): Promise<string> {
  const text = await chunk.text.text();
  const places = apps.map((app) => chunk.apps.indexOf(app));
  const rows: string[] = [];
  let end = 0;
  for (const [at, length] of chunk.lengths.entries()) {
    end += length;
    const tail = end - (chunk.tails[at] ?? 0);
    const marks = tail - 2 * chunk.apps.length;
    const cells = places.map((place) => (place < 0 ? ',0' : text.slice(marks + 2 * place, marks + 2 * place + 2)));
    rows.push(`${text.slice(end - length, marks)}${cells.join('')}${text.slice(tail, end)}`);
  }
  return rows.join('');
}

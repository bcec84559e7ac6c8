import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@steward/contract/api/endpoints';
import { ERRORS } from '@steward/contract/api/errors';
import * as limits from '@steward/contract/api/limits';
import { AUDIT_ACTIONS } from '@steward/contract/audit/catalog';
// This import loads every module of the server that declares a limit.
import '@steward/server/src/app/features.ts';
import { DESCRIBED_LIMITS, type DescribedLimit } from '@steward/server/src/platform/described-limits.ts';
import { matrix } from '@steward/server/testing/authorization/authorization-matrix.ts';
import { routes } from '../../apps/portal/src/app/routes.ts';

type Routes = (typeof routes)['children'];

const CONTRACT = join(import.meta.dirname, '../../packages/contract/src/api');

/** The access of these calls doesn't follow from the statuses in the matrix: strangers are refused because of their input. */
const ACCESS: Readonly<Record<string, string>> = {
  login: 'open',
  loginWithPasskey: 'open',
  setUp: 'open',
  addContent: 'service',
};

export function renderReference(): string {
  return `# Reference tables

These tables are generated from the code by \`npm run generate:docs\`. What they don't say is in the
[product reference](product.md). The schemas of all calls are at \`/api/v4/docs\` of a running server.

## Routes of the portal

Pages are in \`apps/portal/src\`. \`$\` is any other path.

${table(['Route', 'Page'], listRoutes(routes.children))}

## Calls

Paths are below \`/api/v4\`. Access: *open*; *user* (signed in); *admin* (admin or owner of the team in
the path); *owner* (owner of that team); *service* (a service token of that team).

${table(
  ['Call', 'Access', 'What it does'],
  endpoints.map(({ name, method, path, summary }) => [`\`${method} ${path}\``, getAccess(name), summary]),
)}

## Errors

${table(['Id', 'Status', 'Message', 'When, if the message leaves it open'], listErrors())}

## Rate limits

A network is an IPv4 address, or the first 64 bits of an IPv6 address. A rate is counted for all
processes together; what runs at once is counted in each process. Constants of the contract below
limit expensive calls.

${table(['Name', 'Counts', 'Number', 'Window', 'Beyond it'], DESCRIBED_LIMITS.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(toRow))}

## Constants of the contract

More than a limit allows is refused: with 413 for the bytes of a body and otherwise with 400, unless
the meaning or the table of errors says something else.

${table(['Constant', 'Value', 'Meaning'], listConstants())}

## Audit actions

Personal actions belong to a user and to no team: they are stored, and no team's log shows them.

${table(
  ['Action', 'Label', ''],
  Object.entries(AUDIT_ACTIONS).map(([action, info]) => [
    `\`${action}\``,
    info.label,
    'personal' in info ? 'personal' : '',
  ]),
)}
`;
}

function table(header: string[], rows: string[][]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function listRoutes(branch: Routes): string[][] {
  return (branch ?? []).flatMap((route) => {
    const path = route.type === 'index' ? '/' : route.type === 'route' ? route.path : undefined;
    const children = 'children' in route ? listRoutes(route.children) : [];
    return [...(path === undefined || !('file' in route) ? [] : [[`\`${path}\``, `${route.file}`]]), ...children];
  });
}

/** Returns the caller with the fewest rights that the tested authorization matrix allows. */
function getAccess(name: string): string {
  const rows = matrix[name] ?? [];
  const isAllowed = (column: 'OUT' | 'TU' | 'TA' | 'TO') =>
    rows.some(({ expected }) => Math.floor((expected[column] ?? 0) / 100) === 2);
  if (ACCESS[name] !== undefined) return ACCESS[name];
  if (isAllowed('OUT')) return 'open';
  if (isAllowed('TU')) return 'user';
  return isAllowed('TA') ? 'admin' : 'owner';
}

/** Reads the docstring before each line of code that matches, by the first group of the pattern. */
function readDocstrings(file: string, code: RegExp): Map<string, string> {
  const found = new Map<string, string>();
  let text = '';
  for (const line of readFileSync(join(CONTRACT, file), 'utf8').split('\n')) {
    const name = code.exec(line)?.[1];
    const docstring = /^\s*\/\*\* (.*) \*\/$/.exec(line)?.[1];
    if (name !== undefined) found.set(name, text);
    else text = docstring ?? '';
    // A docstring describes all constants below it, but only one error.
    if (name !== undefined && file === 'errors.ts') text = '';
  }
  return found;
}

function listErrors(): string[][] {
  const when = readDocstrings('errors.ts', /^ {2}'([\w.]+)': \{/);
  return Object.entries(ERRORS).map(([id, { status_code, message }]) => [
    `\`${id}\``,
    `${status_code}`,
    message,
    when.get(id) ?? '',
  ]);
}

function listConstants(): string[][] {
  const rows = new Map<string, string[]>();
  for (const [name, meaning] of readDocstrings('limits.ts', /^export const (\w+) =/))
    rows.set(meaning, [...(rows.get(meaning) ?? []), name]);
  const toValue = (name: string) => format((limits as Readonly<Record<string, number>>)[name] ?? Number.NaN);
  return [...rows].map(([meaning, names]) => [
    names.map((name) => `\`${name}\``).join(', '),
    names.map(toValue).join('; '),
    meaning,
  ]);
}

function toRow(limit: DescribedLimit): string[] {
  const { name, counts, beyond } = limit;
  if ('attempts' in limit) {
    const minutes = limit.seconds / 60;
    return [name, counts, format(limit.attempts), `${minutes} minute${minutes === 1 ? '' : 's'}`, beyond ?? '429'];
  }
  const { atOnce, atOncePerKey, waiting, waitingPerKey } = limit;
  const running = atOncePerKey === undefined ? `${atOnce}` : `${atOnce}, ${atOncePerKey} of one team`;
  const [owner, ownBeyond] = beyond === '429' ? ['each network', beyond] : ['one team', '429, in total 503'];
  if (waitingPerKey === undefined)
    return [name, counts, `${running}; ${format(waiting)} may wait`, 'at once', beyond ?? '503'];
  const line = waiting === 0 ? running : `${running}; ${format(waiting)} may wait, ${waitingPerKey} of ${owner}`;
  return [name, counts, line, 'at once', ownBeyond];
}

const format = (number: number) => number.toLocaleString('en-US');

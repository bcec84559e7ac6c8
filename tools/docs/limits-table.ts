import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { COSTS, type CostKind } from '@steward/contract/api/costs';
import { endpoints } from '@steward/contract/api/endpoints';
import * as limits from '@steward/contract/api/limits';
import { RENDERING } from '@steward/server/src/features/integrations/rendering/renderer.ts';
import { HASHING } from '@steward/server/src/platform/security/passwords.ts';

/** The limits of the contract by name. */
const CONTRACT: Readonly<Record<string, number>> = Object.fromEntries(Object.entries(limits));
const SERVER = join(import.meta.dirname, '../../apps/server/src');

/** One line of the table. */
interface Row {
  name: string;
  counts: string;
  number: string;
  window: string;
  answer: string;
}

type Text = Pick<Row, 'counts' | 'answer'>;

/** What limits that are counted in the database mean. Their numbers are read from where they are declared. */
const COUNTED: Readonly<Record<string, Text>> = {
  'session.login': {
    counts: 'password checks of an account; a known device, a known network and all others count separately',
    answer: '401, as for a wrong password; 429 where a signed-in user confirms theirs',
  },
  'session.refused': { counts: 'refused sign-ins of a network, known devices excepted', answer: '429' },
  'session.passkey': { counts: 'refused passkeys of a network', answer: '429' },
  'mfa.codes': {
    counts: 'codes of a second factor of an account that are checked, right ones included',
    answer: '429, for the right code too',
  },
  'session.reset_mail': { counts: 'reset emails to an address', answer: '200; no email' },
  'session.reset_address': { counts: 'reset requests of a network, signed out', answer: '429' },
  'session.email_request': { counts: 'email changes requested by an account', answer: '429' },
  'session.email_mail': { counts: 'links to a new email address', answer: '200; no email' },
  'signup.address': { counts: 'sign-up requests of a network', answer: '429' },
  'signup.mail': { counts: 'sign-up emails to an address', answer: '200; no email' },
  'sso.beginnings': { counts: 'single sign-ons that a network begins', answer: 'the sign-in page says so' },
  'sso.questions': { counts: 'questions of a network about how an address signs in', answer: '429' },
  'sso.checks': { counts: 'checks of the identity provider of a team', answer: '429' },
  'sso.lookups': { counts: 'looks for the DNS record of a domain, of a team', answer: '429' },
  'sso.logouts': { counts: 'logouts by the identity provider of a team', answer: '429' },
  'scim-bad-token': { counts: 'provisioning calls of a network without a valid token', answer: '429' },
  'template-previews': { counts: 'template previews of a user, in all teams', answer: '429' },
  'integration-tests': { counts: 'test messages of a team', answer: '429' },
};

/** What kinds of expensive calls count, of a user in a team. */
const EXPENSIVE: Readonly<Record<CostKind, string>> = {
  search: 'searches',
  count: 'counts and previews',
  forecast: 'ages and forecasts',
  export: 'exports begun: first pages of more than 100 rows',
};

/** How much of something runs at once in a process, by file and constant. */
const AT_ONCE: Readonly<Record<string, Text>> = {
  'features/content/content.routes.ts REQUESTS': { counts: 'content uploads', answer: '503' },
  'features/content/content.routes.ts REQUESTS_PER_TEAM': { counts: 'content uploads of a team', answer: '503' },
  'features/directory/directory.routes.ts UPLOADS': { counts: 'calls of directory uploads', answer: '503' },
  'features/users/many.routes.ts MULTI': { counts: 'calls that add or edit many users', answer: '503' },
  'features/integrations/hook/hook.routes.ts CONNECTIONS': {
    counts: 'database connections of incoming deliveries',
    answer: '503',
  },
  'features/scim/protocol/protocol.routes.ts CONNECTIONS': {
    counts: 'database connections of provisioning calls',
    answer: '503',
  },
  'platform/jobs/concurrency-limiter.ts COUNT_CONCURRENCY': { counts: 'slow counts', answer: '503' },
  'platform/images/square-image.ts limitConcurrency': { counts: 'pictures decoded', answer: '503' },
};

/** Constants that limit what runs at once but that no request can reach. */
const INTERNAL = new Set([
  'features/content/content.routes.ts BATCHES',
  'features/users/bulk/bulk.job.ts limitConcurrency',
  'workspace/notices/send-notice.job.ts limitConcurrency',
  'features/retention/runs/retention.sweep.ts runSequentially',
  'features/channels/defaults/join-channels.job.ts limitConcurrency',
]);

/** Limits that are no rate, by their constant. */
const FIXED: Readonly<Partial<Record<keyof typeof limits, Text & { window?: string }>>> = {
  INVITATIONS_PER_ADDRESS: {
    counts: 'invitation emails to an address, of all teams',
    window: '24 hours',
    answer: '200; the row says that none was sent',
  },
  INVITATIONS_PER_TEAM: { counts: 'invitation emails of a team', window: '24 hours', answer: 'the same' },
  INVITATIONS_PER_NEW_TEAM: {
    counts: 'invitation emails of a team in its first week',
    window: '24 hours',
    answer: 'the same',
  },
  INVITEES_MAX: { counts: 'invitees of a sign-up', answer: '400' },
  SESSIONS_PER_PERSON: { counts: 'sessions of a user', answer: 'the oldest ends' },
  DEVICES_PER_PERSON: { counts: 'known devices of a user', answer: 'the one not used for longest is forgotten' },
  TOKENS_PER_TEAM: { counts: 'service tokens of a team', answer: '409' },
  SCIM_TOKENS_PER_TEAM: { counts: 'provisioning tokens of a team', answer: '409' },
  SCIM_CALLS_PER_MINUTE: { counts: 'provisioning calls of a team', window: '1 minute', answer: '429' },
  SCIM_PAGE_MAX: { counts: 'users or groups in a page of SCIM', answer: 'a page of that size' },
  SCIM_OPERATIONS_MAX: { counts: 'operations in a PATCH of SCIM', answer: '400' },
  SCIM_MEMBERS_MAX: { counts: 'members in a SCIM call', answer: '400' },
  USERS_PER_CALL: { counts: 'users added or edited by a call', answer: '400' },
  USERS_PER_JOB_MAX: { counts: 'ids in a change to many users', answer: '400' },
  ENTRIES_PER_CALL_MAX: { counts: 'directory entries in a call', answer: '400' },
  ENTRIES_PER_UPLOAD_MAX: { counts: 'directory rows in a call of an upload', answer: '400' },
  PAGE_ROWS_MAX: { counts: 'rows of a page', answer: '400' },
  POST_FILES_MAX: { counts: 'files of a post', answer: '400' },
  DEFAULT_CHANNELS_MAX: { counts: 'default channels of a team', answer: '400' },
  TRIGGER_CHANNELS_MAX: { counts: 'channels of a trigger', answer: '400' },
};

/** Sizes in bytes, by their constant. */
const SIZES: Readonly<Partial<Record<keyof typeof limits, Text>>> = {
  SMALL_BODY_MAX: { counts: 'body of sign-in, reset, sign-up and account calls', answer: '413' },
  USERS_PER_CALL_BYTES: { counts: 'body of a call that adds or edits many users', answer: '413' },
  SCIM_BODY_MAX: { counts: 'body of a provisioning call', answer: '413' },
  UPLOAD_BODY_MAX: { counts: 'body of a call of a directory upload', answer: '413' },
  PICTURE_MAX: { counts: 'uploaded picture', answer: '413' },
  DELIVERY_MAX: { counts: 'incoming delivery', answer: '413' },
  CONTENT_LINE_MAX: { counts: 'line of content', answer: 'an error of the line' },
  BLOB_MAX: { counts: 'file in a line of content', answer: 'an error of the line' },
};

const sources = globSync('**/*.ts', { cwd: SERVER })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(SERVER, file), 'utf8') }));

/** Limits that are counted in the database, as the code declares them. */
export function readCounted(): { name: string; attempts: number; seconds: number }[] {
  const declaration = /: Limit = \{\s*name: '([^']+)',\s*attempts: ([\d_]+),\s*seconds: ([\d_]+),?\s*\}/g;
  return sources.flatMap(({ text }) =>
    [...text.matchAll(declaration)].map(([, name = '', attempts = '', seconds = '']) => ({
      name,
      attempts: toNumber(attempts),
      seconds: toNumber(seconds),
    })),
  );
}

function readAtOnce(): { name: string; atOnce: number; waiting: number }[] {
  const declaration =
    /const (\w+) = (?:createConcurrencyLimiter\()?\{ atOnce: ([\d_]+), waiting: ([\d_]+|[A-Z_.a-z]+) \}/g;
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(declaration)].map(([, constant, atOnce = '', waiting = '']) => ({
      name: `${file} ${constant}`,
      atOnce: toNumber(atOnce),
      waiting: toNumber(waiting),
    })),
  );
}

/** Limits of the code that this file says nothing about, and those it describes though the code has no such limit. */
export function findUndescribed(): string[] {
  const compare = (described: readonly string[], found: readonly string[]) =>
    [...described.filter((name) => !found.includes(name)), ...found.filter((name) => !described.includes(name))].sort();
  const counted = readCounted().map(({ name }) => name);
  const atOnce = readAtOnce().map(({ name }) => name);
  return [...compare(Object.keys(COUNTED), counted), ...compare([...Object.keys(AT_ONCE), ...INTERNAL], atOnce)];
}

/** The table of the administration guide. */
export function renderLimits(): string {
  const isUsed = (kind: CostKind) => endpoints.some(({ costs = [] }) => costs.some((cost) => cost.kind === kind));
  const rows: Row[] = [
    ...countedRows(),
    hashingRow(),
    ...(Object.keys(COSTS) as CostKind[]).filter(isUsed).map((kind) => ({
      name: kind,
      counts: `${EXPENSIVE[kind]}, of a user in a team`,
      number: format(COSTS[kind]),
      window: '1 minute, per process',
      answer: '429',
    })),
    ...fixedRows(),
    ...atOnceRows(),
    ...templateRows(),
    bodyRow(),
    ...sizeRows(),
  ];
  const header = { name: 'Name', counts: 'Counts', number: 'Number', window: 'Window', answer: 'Beyond it' };
  const lines = [header, ...rows].map(
    ({ name, counts, number, window, answer }) => `| ${[name, counts, number, window, answer].join(' | ')} |`,
  );
  lines.splice(1, 0, '|---|---|---|---|---|');
  return lines.join('\n');
}

function hashingRow(): Row {
  const number = `${HASHING.waitingPerKey}`;
  const counts = `sign-ins and other password checks of a network that wait; ${HASHING.atOnce} run at once, networks take turns`;
  return { name: 'hashing', counts, number, window: 'at once, per process', answer: '429' };
}

function templateRows(): Row[] {
  const { taskMs, heapMb, threads, waitingPerKey, waitMs } = RENDERING;
  const one = `rendering of a template: ${taskMs / 1_000} second and ${heapMb} MiB`;
  const queue = `templates rendered; one at a time for a team, of which ${waitingPerKey} may wait for ${waitMs / 1_000} seconds`;
  return [
    { name: 'rendering', counts: one, number: '1', window: '', answer: 'a problem, or a failed delivery' },
    {
      name: 'rendering',
      counts: queue,
      number: `${threads}`,
      window: 'at once, per process',
      answer: '429, or 503 after the wait',
    },
  ];
}

function fixedRows(): Row[] {
  return Object.entries(FIXED).map(([name, { counts, answer, window = '' }]) => {
    return { name, counts, number: format(CONTRACT[name] ?? 0), window, answer };
  });
}

function sizeRows(): Row[] {
  return Object.entries(SIZES).map(([name, { counts, answer }]) => {
    return { name, counts, number: toSize(CONTRACT[name] ?? 0), window: '', answer };
  });
}

function countedRows(): Row[] {
  const found = readCounted();
  return Object.entries(COUNTED).flatMap(([name, text]) => {
    const limit = found.find((each) => each.name === name);
    return limit ? [{ name, ...text, number: format(limit.attempts), window: toWindow(limit.seconds) }] : [];
  });
}

function atOnceRows(): Row[] {
  const found = readAtOnce();
  return Object.entries(AT_ONCE).map(([key, text]) => {
    const { atOnce = 0, waiting = 0 } = found.find(({ name }) => name === key) ?? {};
    const number = waiting > 0 ? `${atOnce}; up to ${format(waiting)} wait` : `${atOnce}`;
    return { name: getConstant(key), ...text, number, window: 'at once, per process' };
  });
}

/** The constant, or the file of one whose name says nothing. */
function getConstant(key: string): string {
  const [file = '', constant = ''] = key.split(' ');
  return constant === 'limitConcurrency' ? basename(file, '.ts') : constant;
}

/** The limit of bodies that have none of their own, as the server sets it. */
function bodyRow(): Row {
  const server = sources.find(({ file }) => file === 'platform/http/fastify.ts')?.text ?? '';
  const bytes = /bodyLimit: ([\d* ]+),/.exec(server)?.[1] ?? '';
  const size = bytes.split('*').reduce((product, factor) => product * Number(factor), 1);
  return { name: 'bodyLimit', counts: 'any other body', number: toSize(size), window: '', answer: '413' };
}

const toNumber = (text: string) => Number(text.replaceAll('_', ''));
const format = (number: number) => number.toLocaleString('en-US');

function toSize(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${format(bytes / 1024 / 1024)} MiB`;
  return `${format(bytes / 1024)} KiB`;
}

function toWindow(seconds: number): string {
  const [number, unit] = seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [seconds / 60, 'minute'];
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}

import { type House, listImports, type Problem, withoutComments } from './house-files.ts';

const SERVER = 'apps/server/src/';

/** The fixed vocabulary: what may stand between a file's name and its extension. */
const SERVER_SUFFIXES = [
  'routes',
  'store',
  'rules',
  'policy',
  'actions',
  'job',
  'sweep',
  'client',

  'mail',
  'drill',
  'test',
];
const PORTAL_SUFFIXES = ['page', 'layout', 'queries', 'form', 'rules', 'csv', 'test', 'module'];

const FORBIDDEN_FOLDERS = ['utils', 'helpers', 'common', 'shared', 'lib', 'services', 'types'];
const DATABASE = /^(kysely|pg|pg-boss)(\/|$)/;
const QUERY = /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(/;
const TRANSACTION = /\.transaction\(\)|\binTransaction\(/;
const IMPURE = /\bDate\.now\(|\bnew Date\(\)|\bfetch\(|\bprocess\.|\bMath\.random\(|\blocalStorage\b/;

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
const isCode = (file: string): boolean => /\.tsx?$/.test(file);
const isPlatform = (file: string): boolean => /^apps\/server\/src\/(platform|migrations)\//.test(file);

/** Who may read and write the database, open a transaction, or call the network (everything named by file name). */
export function brokenSuffixes(house: House): Problem[] {
  const problems: Problem[] = [];
  for (const file of house.files.filter(isCode)) {
    const code = withoutComments(house.read(file));
    problems.push(
      ...namedOutsideVocabulary(file),
      ...catchAllFolder(file),
      ...impure(file, code),
      ...usesTesting(file, code),
    );
    if (file.startsWith(SERVER) && !isTest(file)) problems.push(...serverRules(file, code));
  }
  return problems;
}

function namedOutsideVocabulary(file: string): Problem[] {
  const room = /^apps\/(server|portal)\/src\/(features|workspace)\//.exec(file);
  if (!room) return [];
  const words = room[1] === 'server' ? SERVER_SUFFIXES : PORTAL_SUFFIXES;
  const unknown = (file.split('/').at(-1) ?? '')
    .split('.')
    .slice(1, -1)
    .filter((word) => !words.includes(word));
  // A test may repeat the name of what it tests: retention.sweep.test.ts.
  return unknown.map((word) => ({
    rule: 'suffix',
    file,
    text: `.${word} is not in the vocabulary: ${words.join(', ')}`,
  }));
}

function catchAllFolder(file: string): Problem[] {
  const folder = file.split('/').find((part, at, parts) => at < parts.length - 1 && FORBIDDEN_FOLDERS.includes(part));
  return folder ? [{ rule: 'folder', file, text: `a folder called ${folder} says nothing: name the room` }] : [];
}

function impure(file: string, code: string): Problem[] {
  if (!/\.(rules|policy|form)\.ts$/.test(file)) return [];
  const word = IMPURE.exec(code)?.[0];
  const io = listImports(code).find(
    (name) => name.startsWith('node:') || /\.(store|client|queries|actions)\.ts$/.test(name),
  );
  const culprit = word ?? io;
  return culprit
    ? [{ rule: 'pure', file, text: `${culprit} in a pure file: take the clock and the data as arguments` }]
    : [];
}

/** Test doubles and factories must not reach what is shipped; only tests import them. */
function usesTesting(file: string, code: string): Problem[] {
  if (!/^(apps|packages)\/[^/]+\/src\//.test(file) || isTest(file)) return [];
  const name = listImports(code).find((module) => /(^#|\/)testing\//.test(module));
  return name ? [{ rule: 'testing', file, text: `imports ${name}: only tests do` }] : [];
}

function serverRules(file: string, code: string): Problem[] {
  const problems: Problem[] = [];
  const say = (rule: string, text: string): void => void problems.push({ rule, file, text });
  const mayQuery = isPlatform(file) || file.endsWith('.store.ts');
  if (!mayQuery) {
    const driver = listImports(code).find((name) => DATABASE.test(name));
    if (driver) say('sql', `imports ${driver}: above platform only .store.ts files do`);
    const query = QUERY.exec(code)?.[1];
    if (query) say('sql', `${query}() outside a .store.ts file`);
  }
  const ownsTransactions =
    isPlatform(file) || /\.(actions|job|sweep)\.ts$/.test(file) || file === `${SERVER}workspace/changes/change.ts`;
  if (!ownsTransactions && TRANSACTION.test(code)) {
    say('transaction', 'only workspace/changes/change.ts, .actions.ts and jobs open a transaction');
  }
  if (file !== `${SERVER}platform/env.ts` && readsEnvironment(code))
    say('env', 'only platform/env.ts reads process.env');
  const mayCall = isPlatform(file) || file.endsWith('.client.ts');
  if (!mayCall && /(?<![.\w])fetch\(/.test(code)) say('network', 'only .client.ts files call a foreign service');
  return problems;
}

function readsEnvironment(code: string): boolean {
  return (
    /\bprocess\s*(\?\.|\.|\[\s*['"])\s*env\b/.test(code) ||
    /\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(code) ||
    /\{[^}]*\benv\b[^}]*\}\s*from\s*['"](node:)?process['"]/.test(code)
  );
}

/** Files that may hold more than one thought. Printed, never refused. */
export function longFiles(house: House, limit = 300): { file: string; lines: number }[] {
  const ours = house.files.filter(
    (file) => /^(apps|packages|e2e|tools|bench)\//.test(file) && /\.(tsx?|mjs|css)$/.test(file),
  );
  return ours
    .filter((file) => !file.endsWith('.gen.ts'))
    .map((file) => ({ file, lines: house.read(file).split('\n').length - 1 }))
    .filter(({ lines }) => lines > limit);
}

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, parseAst } from 'vite';

// A screen calls endpoints of the contract, and few screens check anything by its schemas. A build therefore takes the contract
// apart: each export is a module of its own, in the files of the screens that use it, and endpoints lose the schemas that only the
// server reads. zod is loaded with the first form that needs it.

type Statement = ReturnType<typeof parseAst>['body'][number];
type Declaration = Extract<Statement, { type: 'VariableDeclaration' }>;
type Expression = NonNullable<Declaration['declarations'][number]['init']>;

interface Edit {
  start: number;
  end: number;
  text: string;
}

const CONTRACT = /\/packages\/contract\/src\/.*\.ts(?:\?only=(\w+))?$/;
const SOURCE = /\/(?:apps\/portal|packages\/contract)\/src\/.*\.tsx?(?:\?|$)/;
/** What an endpoint needs to be called; anything else of it stays only if code of the portal names it. */
const NEEDED = new Set(['name', 'method', 'path', 'accepts', 'success', 'bodyLimit']);

/** Imports each name of the contract from a module of its own. `isContract` tells what an import refers to. */
export function splitImports(code: string, isContract: (source: string) => boolean): string {
  const edits: Edit[] = [];
  for (const statement of parseAst(code).body) {
    if (statement.type !== 'ImportDeclaration' || !isContract(statement.source.value)) continue;
    const names = statement.specifiers.flatMap((each) => {
      if (each.type !== 'ImportSpecifier' || each.imported.type !== 'Identifier') return [];
      return `import { ${each.imported.name} as ${each.local.name} } from '${statement.source.value}?only=${each.imported.name}';`;
    });
    // `import * as` needs the whole module.
    if (names.length === statement.specifiers.length)
      edits.push({ start: statement.start, end: statement.end, text: names.join(' ') });
  }
  return apply(code, edits);
}

/**
 * Leaves one export of a module of the contract, or all of them without a name, and lets the build drop what that doesn't need. `isUsed` tells whether the portal
 * reads this property of this endpoint.
 */
export function keepExport(
  code: string,
  only: string | undefined,
  isUsed: (endpoint: string, property: string) => boolean,
): string {
  const edits: Edit[] = [];
  for (const statement of parseAst(code).body) {
    const isExport = statement.type === 'ExportNamedDeclaration' && statement.declaration !== null;
    const declaration = isExport ? statement.declaration : statement;
    const names = declaration === null ? [] : getNames(declaration);
    if (isExport && declaration && only !== undefined && !names.includes(only))
      edits.push({ start: statement.start, end: declaration.start, text: '' });
    if (declaration?.type === 'VariableDeclaration') edits.push(...editDeclaration(declaration, { code, isUsed }));
  }
  return apply(code, edits);
}

function getNames(declaration: { type: string }): string[] {
  const { declarations, id } = declaration as { declarations?: Declaration['declarations']; id?: { name: string } };
  return declarations?.map((each) => (each.id.type === 'Identifier' ? each.id.name : '')) ?? (id ? [id.name] : []);
}

function editDeclaration(
  { declarations }: Declaration,
  { code, isUsed }: { code: string; isUsed: (endpoint: string, property: string) => boolean },
): Edit[] {
  return declarations.flatMap(({ id, init }): Edit[] => {
    if (!init || id.type !== 'Identifier' || !makesCalls(init, code)) return [];
    return [
      ...removeProperties(init, (property) => !NEEDED.has(property) && !isUsed(id.name, property)),
      // A schema is made by many calls, none of which does anything else; only as a whole can they be marked so.
      { start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' },
      { start: init.end, end: init.end, text: '))()' },
    ];
  });
}

function makesCalls({ type, start, end }: Expression, code: string): boolean {
  return type === 'CallExpression' || (type === 'ObjectExpression' && code.slice(start, end).includes('('));
}

function removeProperties(init: Expression, isUnused: (name: string) => boolean): Edit[] {
  if (init.type !== 'CallExpression') return [];
  const { callee, arguments: args } = init;
  const [definition] = args;
  if (callee.type !== 'Identifier' || callee.name !== 'endpoint' || definition?.type !== 'ObjectExpression') return [];
  return definition.properties.flatMap((property, at): Edit[] => {
    if (property.type !== 'Property' || property.key.type !== 'Identifier' || !isUnused(property.key.name)) return [];
    // Up to the next one, with the comma.
    const end = definition.properties[at + 1]?.start ?? definition.end - 1;
    return [{ start: property.start, end, text: '' }];
  });
}

function apply(code: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, text } of edits.toSorted(
    (left, right) => left.start - right.start || left.end - right.end,
  )) {
    parts.push(code.slice(done, start), text);
    done = end;
  }
  return parts.join('') + code.slice(done);
}

/** Every `name.property` in the portal's sources. */
function readUses(): ReadonlySet<string> {
  const source = join(import.meta.dirname, '../src');
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) => !/\.(test|gen)\.ts$/.test(file));
  const texts = files.map((file) => readFileSync(join(source, file), 'utf8'));
  return new Set(texts.flatMap((text) => text.match(/\b\w+\.\w+\b/g) ?? []));
}

/** Takes the contract apart. */
export function unusedSchemas(): Plugin {
  let uses: ReadonlySet<string> = new Set();
  return {
    name: 'unused-schemas',
    apply: 'build',
    buildStart() {
      uses = readUses();
    },
    async resolveId(source, importer) {
      const [path = '', only] = source.split('?only=');
      if (only === undefined || importer === undefined) return null;
      const found = await this.resolve(path, importer.replace(/\?.*/, ''), { skipSelf: true });
      return found && { ...found, id: `${found.id}?only=${only}` };
    },
    transform(code, id) {
      if (!SOURCE.test(id)) return null;
      const isInside = CONTRACT.test(id);
      const isUsed = (endpoint: string, property: string) => uses.has(`${endpoint}.${property}`);
      const kept = isInside ? keepExport(code, CONTRACT.exec(id)?.[1], isUsed) : code;
      const split = splitImports(
        kept,
        (source) => source.startsWith('@steward/contract/') || (isInside && source.startsWith('.')),
      );
      return split === code ? null : { code: split, map: null };
    },
  };
}

import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  type CallExpression,
  isCallExpression,
  isIdentifier,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API, type Checker, type Symbol as Name, SymbolFlags } from 'typescript/unstable/sync';

const ROOT = join(import.meta.dirname, '../../../..');

/** The server's code without its tests, as the TypeScript compiler sees it. */
export interface SourceProgram extends Disposable {
  checker: Checker;
  files: readonly SourceFile[];
  /** What a name refers to, through imports. */
  nameAt(node: Node): Name | undefined;
  declarationAt(node: Node): Node | undefined;
  /** Calls of a function in all files. */
  findCalls(functionName: Node): CallExpression[];
  /** `apps/server/src/…/people.store.ts:12` */
  getPlace(node: Node): string;
}

/** Loads the program, which takes a few seconds. */
export function openSourceProgram(): SourceProgram {
  const api = new API({ cwd: ROOT });
  const config = join(ROOT, 'tsconfig.json');
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (project === undefined) throw new Error(`Can't open ${config}`);
  const { checker, program } = project;
  const files = listSources().map((file) => program.getSourceFile(file) as SourceFile);
  const calls = files.flatMap((file) => collectCalls(file));
  const nameAt = (node: Node): Name | undefined => {
    const name = checker.getSymbolAtLocation(node);
    return name !== undefined && name.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
  };
  return {
    checker,
    files,
    nameAt,
    declarationAt: (node) => nameAt(node)?.declarations[0]?.resolve(),
    findCalls: (functionName) => {
      const wanted = nameAt(functionName)?.id;
      const text = functionName.getText();
      return calls.filter(({ expression }) => expression.getText() === text && nameAt(expression)?.id === wanted);
    },
    getPlace: (node) => {
      const file = node.getSourceFile();
      return `${relative(ROOT, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    },
    [Symbol.dispose]: () => api.close(),
  };
}

function listSources(): string[] {
  const all = globSync('apps/server/src/**/*.ts', { cwd: ROOT });
  return all
    .filter((file) => !file.endsWith('.test.ts') && !file.includes('/migrations/'))
    .map((file) => join(ROOT, file));
}

/** Calls of plain names, such as `toMilliseconds(…)`. */
function collectCalls(root: Node): CallExpression[] {
  const found: CallExpression[] = [];
  walk(root, (node) => {
    if (isCallExpression(node) && isIdentifier(node.expression)) found.push(node);
  });
  return found;
}

/** Visits a node and everything in it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

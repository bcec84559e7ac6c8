import { isArrowFunction, isCallExpression, isPropertyAccessExpression, type Node } from 'typescript/unstable/ast';
import type { Checker, Type, TypeReference } from 'typescript/unstable/sync';
import { expandFragment, UnreadableSource, VALUE } from './expand-fragments.ts';
import { openSourceProgram, type SourceProgram, walk } from './source-program.ts';

/** What a row type says of a column. */
export interface RowField {
  kind: string;
  optional: boolean;
  nullable: boolean;
}

/** A statement written as SQL in the server's code. */
export interface RawStatement {
  /** Where it is executed: `apps/server/src/…/people.store.ts:34`. */
  place: string;
  /** Its text for PostgreSQL, once for each alternative in it. */
  texts: string[];
  /** Fields of its row type; undefined where none is given. */
  row: ReadonlyMap<string, RowField> | undefined;
}

export interface RawStatements {
  statements: RawStatement[];
  /** Places of those that can't be read from the source. */
  unread: string[];
}

/** Finds every `sql` statement that the server's code executes, at once or as a statement that it creates for later. */
export function collectRawStatements(): RawStatements {
  using program = openSourceProgram();
  const { checker } = program;
  const statements: RawStatement[] = [];
  const unread: string[] = [];
  const visit = (node: Node): void => {
    const fragment = findFragment(node);
    if (fragment === undefined) return;
    const type = checker.getTypeAtLocation(fragment);
    if (type === undefined || !checker.typeToString(type).startsWith('RawBuilder<')) return;
    const place = program.getPlace(node);
    const texts = readTexts(program, fragment);
    if (texts === undefined) return void unread.push(place);
    const [row] = checker.getTypeArguments(type as TypeReference);
    statements.push({ place, texts, row: row && readRow(checker, row) });
  };
  for (const file of program.files) walk(file, visit);
  return { statements, unread };
}

/** The fragment of `fragment.execute(db)` or `runPrepared(db, fragment)`, or what the function in `createStatement(({ id }) => fragment)` returns. */
function findFragment(node: Node): Node | undefined {
  if (!isCallExpression(node)) return undefined;
  const { expression, arguments: args } = node;
  if (isPropertyAccessExpression(expression))
    return expression.name.getText() === 'execute' ? expression.expression : undefined;
  const [write, prepared] = args;
  if (expression.getText() === 'runPrepared') return prepared;
  return expression.getText() === 'createStatement' && write && isArrowFunction(write) ? write.body : undefined;
}

function readTexts(program: SourceProgram, fragment: Node): string[] | undefined {
  try {
    return [...new Set(expandFragment(program, fragment).map(numberValues))];
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error;
    return undefined;
  }
}

function numberValues(text: string): string {
  return text
    .split(VALUE)
    .map((part, at) => (at === 0 ? part : `$${at}${part}`))
    .join('');
}

function readRow(checker: Checker, row: Type): ReadonlyMap<string, RowField> | undefined {
  if (checker.typeToString(row) === 'unknown') return undefined;
  const fields = checker.getPropertiesOfType(row).map((field): [string, RowField] => {
    const type = checker.getTypeOfSymbol(field);
    return [field.name, type === undefined ? { kind: '?', optional: false, nullable: true } : readField(checker, type)];
  });
  return new Map(fields);
}

function readField(checker: Checker, type: Type): RowField {
  const parts = type.isUnionType() ? (type.getTypes() ?? []) : [type];
  const names = parts.map((part) => checker.typeToString(part));
  const [first] = parts.filter((_, at) => names[at] !== 'null' && names[at] !== 'undefined');
  return {
    kind: first === undefined ? 'null' : toKind(checker, first),
    optional: names.includes('undefined'),
    nullable: names.includes('null'),
  };
}

/** `string`, `number`, `boolean`, `Date`, `Buffer`, one of these with `[]`, or `json` for any other object. */
function toKind(checker: Checker, type: Type): string {
  const base = checker.getBaseTypeOfLiteralType(type) ?? type;
  const name = checker.typeToString(base);
  if (['string', 'number', 'boolean', 'Date'].includes(name)) return name;
  if (name.startsWith('Buffer')) return 'Buffer';
  if (!checker.isArrayLikeType(base)) return 'json';
  const [item] = checker.getTypeArguments(base as TypeReference);
  return `${item === undefined ? 'json' : readField(checker, item).kind}[]`;
}

import {
  type BindingElement,
  type BindingPattern,
  type CallExpression,
  type Expression,
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isSpreadElement,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
  type ParameterDeclaration,
  type VariableDeclaration,
} from 'typescript/unstable/ast';
import { type SourceProgram, walk } from './source-program.ts';

/** Marks a value in the text of a fragment, until values are numbered. */
export const VALUE = '\u0000';

/** Code that this file can't read, such as a statement whose text is only known at run time. */
export class UnreadableSource extends Error {}

interface Context {
  program: SourceProgram;
  /** Arguments of the functions that are being read, by their parameters. */
  bindings: ReadonlyMap<Node, Node>;
}

/** A parameter whose argument only the callers of its function know. */
class UnknownArgument extends Error {
  parameter: ParameterDeclaration;

  constructor(parameter: ParameterDeclaration) {
    super('unknown argument');
    this.parameter = parameter;
  }
}

/**
 * Reads the SQL of a fragment from the source code: one text for each alternative in it (`a ? b : c`, several returns), though not
 * for each combination of them. A parameter that is itself a fragment has one alternative for each call of its function.
 * Throws `UnreadableSource`.
 */
export function expandFragment(program: SourceProgram, fragment: Node): string[] {
  return expandForCallers({ program, bindings: new Map() }, fragment);
}

function expandForCallers(context: Context, fragment: Node): string[] {
  try {
    return expand(context, fragment);
  } catch (error) {
    if (!(error instanceof UnknownArgument)) throw error;
    const calls = findCallers(context, error.parameter);
    return calls.flatMap((call) => expandForCallers(bind(context, error.parameter.parent, call), fragment));
  }
}

function expand(context: Context, node: Node): string[] {
  const type = getType(context, node);
  if (type === 'undefined') return [];
  if (!/\b(RawBuilder|Expression)\b/.test(type)) return [VALUE];
  if (isTaggedTemplateExpression(node)) return expandTemplate(context, node.template, expand);
  return readBranches(context, node, expand) ?? unreadable(context, node);
}

/** What several kinds of expression come to, by what `read` makes of the expressions in their place. */
function readBranches<T>(context: Context, node: Node, read: (context: Context, node: Node) => T[]): T[] | undefined {
  const all = (nodes: readonly Node[]) => nodes.flatMap((each) => read(context, each));
  if (isParenthesizedExpression(node) || isAsExpression(node) || isSatisfiesExpression(node))
    return read(context, node.expression);
  if (isConditionalExpression(node)) return all([node.whenTrue, node.whenFalse]);
  if (isBinaryExpression(node)) return all([node.left, node.right]);
  if (isPropertyAccessExpression(node)) return all(findMembers(context, node.expression, node.name.getText()));
  if (isElementAccessExpression(node)) return all(findMembers(context, node.expression));
  if (isIdentifier(node)) return all(resolve(context, node));
  if (isCallExpression(node)) return readCall(context, node, read);
  return undefined;
}

function readCall<T>(context: Context, call: CallExpression, read: (context: Context, node: Node) => T[]): T[] {
  const { expression, arguments: args } = call;
  const [first, second] = args;
  if (isPropertyAccessExpression(expression) && expression.expression.getText() === 'sql' && first) {
    return expandBuiltin(context, expression.name.getText(), [first, second]) as T[];
  }
  const declared = context.program.declarationAt(expression);
  const body = declared && (isVariableDeclaration(declared) ? declared.initializer : declared);
  if (body === undefined || !isFunction(body)) return unreadable(context, call);
  const inside = bind(context, body, call);
  return findReturns(body).flatMap((returned) => read(inside, returned));
}

function expandBuiltin(context: Context, name: string, [first, second]: (Expression | undefined)[]): string[] {
  if (first === undefined) return [];
  if (name === 'raw') return readStrings(context, first);
  if (name === 'ref') return readStrings(context, first).map((path) => `"${path.replaceAll('.', '"."')}"`);
  if (name === 'lit' && getType(context, first) === 'number') return [VALUE];
  if (name === 'lit') return readStrings(context, first).map((text) => `'${text}'`);
  if (name !== 'join') return unreadable(context, first);
  const separator = second === undefined ? ', ' : (expand(context, second)[0] ?? '');
  const items = readList(context, first);
  return combine(items.flatMap((item, at) => (at === 0 ? [item] : [[separator], item])));
}

/** The items of a list of fragments, each with its alternatives; an item that is added under a condition counts as there. */
function readList(context: Context, node: Node): string[][] {
  if (isArrayLiteralExpression(node)) {
    return node.elements.flatMap((item) =>
      isSpreadElement(item) ? readList(context, item.expression) : [expand(context, item)],
    );
  }
  if (
    isCallExpression(node) &&
    isPropertyAccessExpression(node.expression) &&
    node.expression.name.getText() === 'map'
  ) {
    const [callback] = node.arguments;
    return callback && isFunction(callback)
      ? [findReturns(callback).flatMap((returned) => expand(context, returned))]
      : [];
  }
  const items = readBranches(context, node, readList) ?? unreadable(context, node);
  return isIdentifier(node) ? [...items, ...pushesTo(context, node)] : items;
}

function pushesTo(context: Context, list: Node): string[][] {
  const name = context.program.nameAt(list)?.id;
  const items: string[][] = [];
  walk(list.getSourceFile(), (node) => {
    if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return;
    const { expression, name: method } = node.expression;
    if (method.getText() !== 'push' || context.program.nameAt(expression)?.id !== name) return;
    items.push(...node.arguments.map((item) => expand(context, item)));
  });
  return items;
}

/** Constant texts: parts of column names and intervals. */
function readStrings(context: Context, node: Node): string[] {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isNumericLiteral(node)) return [node.text];
  if (isTemplateExpression(node)) return expandTemplate(context, node, readStrings);
  return readBranches(context, node, readStrings) ?? unreadable(context, node);
}

function expandTemplate(context: Context, template: Node, read: (context: Context, node: Node) => string[]): string[] {
  if (isNoSubstitutionTemplateLiteral(template)) return [template.text];
  if (!isTemplateExpression(template)) return unreadable(context, template);
  const parts = template.templateSpans.flatMap((span) => [read(context, span.expression), [span.literal.text]]);
  return combine([[template.head.text], ...parts]);
}

/** Joins parts so that each alternative of each part occurs at least once. */
function combine(parts: readonly string[][]): string[] {
  const count = Math.max(1, ...parts.map(({ length }) => length));
  return Array.from({ length: count }, (_, at) => parts.map((part) => part[at % part.length] ?? '').join(''));
}

/** The expressions a name may refer to. */
function resolve(context: Context, name: Node): Node[] {
  const declared = context.program.declarationAt(name);
  if (declared === undefined) return unreadable(context, name);
  if (isBindingElement(declared)) {
    return resolveElement(context, declared);
  }
  if (isParameterDeclaration(declared)) return [findArgument(context, declared)];
  const value = isVariableDeclaration(declared) ? declared.initializer : undefined;
  return value === undefined ? unreadable(context, name) : [value];
}

/** A name that is declared by taking an object or a list apart. */
function resolveElement(context: Context, element: BindingElement): Node[] {
  const pattern = element.parent as BindingPattern;
  const source = pattern.parent;
  const from = isParameterDeclaration(source)
    ? findArgument(context, source)
    : (source as VariableDeclaration).initializer;
  if (from === undefined) return unreadable(context, element);
  if (isArrayLiteralExpression(from)) {
    return [from.elements[pattern.elements.indexOf(element)] ?? unreadable(context, element)];
  }
  return findMembers(context, from, (element.propertyName ?? element.name)?.getText());
}

function findArgument({ bindings }: Context, parameter: ParameterDeclaration): Node {
  const given = bindings.get(parameter);
  if (given === undefined) throw new UnknownArgument(parameter);
  return given;
}

/** Values of a property of an object, or of all its properties. */
function findMembers(context: Context, object: Node, property?: string): Node[] {
  return findObjects(context, object).flatMap((literal) => {
    if (!isObjectLiteralExpression(literal)) return [];
    return literal.properties.flatMap((member) => {
      const isNamed = isPropertyAssignment(member) || isShorthandPropertyAssignment(member);
      if (isNamed && property !== undefined && member.name.getText() !== property) return [];
      return isPropertyAssignment(member) ? [member.initializer] : unreadable(context, member);
    });
  });
}

function findObjects(context: Context, node: Node): Node[] {
  if (isObjectLiteralExpression(node)) return [node];
  return readBranches(context, node, findObjects) ?? unreadable(context, node);
}

function isFunction(node: Node) {
  return isFunctionDeclaration(node) || isArrowFunction(node) || isFunctionExpression(node);
}

/** What a function returns, without the functions in it. */
function findReturns(body: Node): Node[] {
  if (isArrowFunction(body) && body.body.getText()[0] !== '{') return [body.body];
  const found: Node[] = [];
  const visit = (node: Node): void => {
    if (isFunction(node)) return;
    if (isReturnStatement(node) && node.expression) found.push(node.expression);
    node.forEachChild(visit);
  };
  body.forEachChild(visit);
  return found;
}

function bind(context: Context, declared: Node, call: CallExpression): Context {
  const { parameters } = declared as unknown as { parameters: readonly Node[] };
  const given = call.arguments.map((argument, at): [Node, Node] => [parameters[at] as Node, argument]);
  return { ...context, bindings: new Map([...context.bindings, ...given]) };
}

function findCallers(context: Context, parameter: ParameterDeclaration): CallExpression[] {
  const declared = parameter.parent;
  const named = isFunctionDeclaration(declared) ? declared : declared.parent;
  const { name } = named as { name?: Node };
  const calls = name === undefined ? [] : context.program.findCalls(name);
  return calls.length > 0 ? calls : unreadable(context, parameter);
}

function getType({ program: { checker } }: Context, node: Node): string {
  const type = checker.getTypeAtLocation(node);
  return type === undefined ? '' : checker.typeToString(type);
}

function unreadable({ program }: Context, node: Node): never {
  throw new UnreadableSource(`${program.getPlace(node)}: can't read ${node.getText()}`);
}

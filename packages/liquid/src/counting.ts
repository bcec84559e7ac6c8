// What the library itself doesn't limit: comparisons of long lists, searches in long texts, and ranges of numbers so large
// that adding 1 doesn't change them.

import {
  CaseTag,
  type Context,
  defaultOperators,
  type Emitter,
  evalToken,
  evalTokenValue,
  type Liquid,
  type RangeToken,
  Tokenizer,
  TokenKind,
  toValue,
} from 'liquidjs';

/** Elements that a rendering may compare. They aren't counted with the characters, which would leave fewer of those. */
const COMPARISONS = 1_000_000;

/** Searching takes the length of the text times that of the pattern in the worst case; this many steps count as one element. */
const SEARCH_STEPS = 1_000;

/** Filters that search their input for their argument, which can't be interrupted. */
const SEARCHING = ['remove', 'remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last', 'split'];

/** What each rendering has compared. All contexts of a rendering share a limit. */
const compared = new WeakMap<object, number>();

function count({ memoryLimit }: Context, elements: number): void {
  const sum = (compared.get(memoryLimit) ?? 0) + elements;
  compared.set(memoryLimit, sum);
  if (sum > COMPARISONS) throw new RangeError('comparison limit exceeded');
}

type Operator = (left: unknown, right: unknown, context: Context) => unknown;

function counted(name: string, getCostOf: (left: unknown, right: unknown) => number): Operator {
  const operator = defaultOperators[name] as Operator;
  return (left, right, context) => {
    count(context, getCostOf(left, right));
    return operator(left, right, context);
  };
}

const equals = counted('==', getCost);

/** Operators that count what they compare. */
export const OPERATORS = {
  ...defaultOperators,
  '==': equals,
  '!=': counted('!=', getCost),
  contains: counted('contains', getSearchCost),
} as typeof defaultOperators;

/** Elements compared to find out whether two values are equal. */
function getCost(left: unknown, right: unknown): number {
  return Array.isArray(left) && Array.isArray(right) && left.length === right.length ? countElements(left) : 0;
}

function countElements(list: readonly unknown[]): number {
  return list.reduce<number>((sum, each) => sum + (Array.isArray(each) ? countElements(each) : 0), list.length);
}

function getSearchCost(where: unknown, what: unknown): number {
  if (!Array.isArray(where)) return Math.floor((lengthOf(where) * lengthOf(what)) / SEARCH_STEPS);
  return Array.isArray(what) ? countElements(where) : where.length;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : Array.isArray(value) ? String(value).length : 0;
}

/** Makes the filters and tags of an engine count what they compare. */
export function countComparisons(liquid: Liquid): void {
  for (const name of SEARCHING) {
    const filter = liquid.filters[name] as (this: unknown, ...all: unknown[]) => unknown;
    liquid.filters[name] = function (value, ...rest) {
      count(this.context, Math.floor((lengthOf(value) * lengthOf(rest[0])) / SEARCH_STEPS));
      return filter.call(this, value, ...rest);
    };
  }
  liquid.registerTag('case', CountingCase);
}

/** `case` compares without the operators of the engine. */
class CountingCase extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { renderer } = this.liquid;
    const lenient = context.opts.lenientIf;
    const target = yield toValue(yield this.value.value(context, lenient));
    let isFound = false;
    for (const { values, templates } of this.branches) {
      for (const token of values) {
        const value = yield evalToken(token, context, lenient);
        if (!(yield equals(target, value, context))) continue;
        yield renderer.renderTemplates(templates, context, emitter);
        isFound = true;
        break;
      }
    }
    if (!isFound) yield renderer.renderTemplates(this.elseTemplates, context, emitter);
  }
}

/** A range, as the library evaluates it, but for numbers beyond those that it can count to. */
function* evaluateRange(range: RangeToken, context: Context): Generator<unknown, number[], unknown> {
  const ends = [yield evalTokenValue(range.lhs, context), yield evalTokenValue(range.rhs, context)];
  const [low = Number.NaN, high = Number.NaN] = ends.map(Number);
  context.memoryLimit.use(high - low + 1);
  if (low <= high && Math.max(-low, high) >= Number.MAX_SAFE_INTEGER) throw new RangeError('range limit exceeded');
  const numbers: number[] = [];
  for (let each = low; each < high + 1; each += 1) numbers.push(each);
  return numbers;
}

/** The same range for a parser; its text and position stay. Analysis finds its variables where it finds those of a group. */
function toBounded(range: RangeToken): RangeToken {
  const evaluate = (context: Context) => evaluateRange(range, context);
  return Object.create(range, {
    kind: { value: TokenKind.FilteredValue },
    initial: { value: { postfix: [range], evaluate } },
    filters: { value: [] },
  });
}

const { readGroupOrRange } = Tokenizer.prototype;
Tokenizer.prototype.readGroupOrRange = function () {
  const token = readGroupOrRange.call(this);
  return token?.kind === TokenKind.Range ? toBounded(token as RangeToken) : token;
};

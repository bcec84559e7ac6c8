// The library limits the length of a range, but evaluates a range beyond 2^53 endlessly, because adding 1 doesn't change such
// numbers. The list grows so fast that V8 ends the whole process instead of the thread that renders the template, and the
// library has no option against this.

import { type Context, evalTokenValue, type RangeToken, Tokenizer, TokenKind } from 'liquidjs';

/** Evaluates like the library, except for numbers too large to count. */
function* evaluateRange(range: RangeToken, context: Context): Generator<unknown, number[], unknown> {
  const ends = [yield evalTokenValue(range.lhs, context), yield evalTokenValue(range.rhs, context)];
  const [low = Number.NaN, high = Number.NaN] = ends.map(Number);
  context.memoryLimit.use(high - low + 1);
  if (low <= high && Math.max(-low, high) >= Number.MAX_SAFE_INTEGER) throw new RangeError('range limit exceeded');
  const numbers: number[] = [];
  for (let each = low; each < high + 1; each += 1) numbers.push(each);
  return numbers;
}

/**
 * Replaces a range in a parsed template, keeping its text and position. Static analysis finds its variables like those of a
 * group.
 */
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

import {
  CaptureTag,
  type Context,
  Drop,
  type Emitter,
  evalTokenValue,
  Liquid,
  type RangeToken,
  type Template,
  Tokenizer,
  TokenKind,
} from 'liquidjs';

/** The filters of standard Liquid. The library has more; help desks don't, so those are removed. */
export const FILTERS: readonly string[] = (
  'abs append at_least at_most capitalize ceil compact concat date default divided_by downcase escape escape_once first ' +
  'floor join last lstrip map minus modulo newline_to_br plus prepend remove remove_first remove_last replace ' +
  'replace_first replace_last reverse round rstrip size slice sort sort_natural split strip strip_html strip_newlines ' +
  'sum times truncate truncatewords uniq upcase url_decode url_encode where'
).split(' ');

/** Tags that read other files. */
const FILE_TAGS = ['include', 'render', 'layout', 'block'];

// Characters written, steps and elements of ranges count against memoryLimit, so most endless templates are refused on every
// machine. There is no time limit here: untrusted templates must be rendered in a thread that can be terminated.
const LIMITS = { parseLimit: 100_000, memoryLimit: 1_000_000 };

/** Cost of a step, so that an endless loop exceeds the limit long before the timeout. */
const STEP = 100;

const inJson = engine((value) => JSON.stringify(toText(value)).slice(1, -1));
const bare = engine(toText);

export interface Escaping {
  /** Makes a value harmless wherever the template puts it. */
  escape(text: string): string;
  /** The text of an escaped one. */
  unescape(text: string): string;
}

/** A text of {% capture %}. Its values are escaped already, but what filters make of it is a value. */
class Captured extends Drop {
  readonly markup: string;
  readonly text: string;
  constructor(markup: string, text: string) {
    super();
    this.markup = markup;
    this.text = text;
  }
  override valueOf(): string {
    return this.text;
  }
}

/** A parser of templates whose values are escaped, one by one, while the template's own text stays as it is. */
export function createParser(escaping: Escaping): (source: string) => Template[] {
  const liquid = engine((value) => (value instanceof Captured ? value.markup : escaping.escape(toReadableText(value))));
  liquid.registerTag(
    'capture',
    class extends CaptureTag {
      override *render(context: Context): Generator<unknown, void, string> {
        yield* super.render(context);
        const variables = context.bottom() as Record<string, unknown>;
        const markup = String(variables[this.variable]);
        variables[this.variable] = new Captured(markup, escaping.unescape(markup));
      }
    },
  );
  return (source) => liquid.parse(source);
}

/** Parses a template and throws if it is invalid. With `json`, the output of `{{ }}` is escaped for use inside a JSON string. */
export function parseTemplate(source: string, output: 'json' | 'bare' = 'json'): Template[] {
  return (output === 'json' ? inJson : bare).parse(source);
}

/** Renders a parsed template. Throws if it takes too many steps or its output is too large. */
export function renderTemplate(template: Template[], scope: Record<string, unknown>): string {
  return inJson.renderSync(template, scope) as string;
}

/** Parses and renders a template without escaping. */
export function renderText(template: string, scope: Record<string, unknown>): string {
  return bare.parseAndRenderSync(template, scope) as string;
}

function engine(outputEscape: (value: unknown) => string): Liquid {
  const options = { outputEscape, ownPropertyOnly: true, timezoneOffset: 0, locale: 'en-US', templates: {}, ...LIMITS };
  const liquid = new Liquid(options);
  for (const name of Object.keys(liquid.filters)) if (!FILTERS.includes(name)) delete liquid.filters[name];
  for (const name of FILE_TAGS) delete liquid.tags[name];
  const { renderer } = liquid;
  const renderTemplates = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (templates, context, emitter = countingEmitter(context)) => {
    context.memoryLimit.use(STEP * (templates.length + 1));
    return renderTemplates(templates, context, emitter);
  };
  return liquid;
}

/** Counts output, so that endless loops stop before memory runs out. */
function countingEmitter({ memoryLimit }: Context): Emitter {
  const emitter = {
    buffer: '',
    write(html: unknown) {
      const text = toText(html);
      memoryLimit.use(text.length);
      emitter.buffer += text;
    },
  };
  return emitter;
}

function toText(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

/** Lists of texts are joined, and other lists and objects are written as JSON. */
function toReadableText(value: unknown): string {
  if (typeof value !== 'object' || value === null || value instanceof Drop) return toText(value);
  const isList = Array.isArray(value) && value.every((each) => typeof each !== 'object');
  return isList ? value.join(', ') : JSON.stringify(value);
}

// The library limits the length of a range, but evaluates a range beyond 2^53 endlessly, because adding 1 doesn't change such
// numbers. The list grows so fast that V8 ends the whole process instead of the thread that renders the template, and the
// library has no option against this.

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

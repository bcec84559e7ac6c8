import { type ParseErrorCode, type ParseOptions, printParseErrorCode, visit } from 'jsonc-parser';

export interface JsonError {
  /** Offset in the text. */
  at: number;
  text: string;
}

const DEPTH_MAX = 100;
const STRICT: ParseOptions = { disallowComments: true, allowTrailingComma: false };
const VALID_IN_QUOTES = /(?:[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

/** Ends parsing at the first error: the rest of the text is not read, so errors can't cause deep recursion. */
class JsonErrorFound extends Error {
  readonly found: JsonError;

  constructor(at: number, text: string) {
    super(text);
    this.found = { at, text };
  }
}

/** The first error in a JSON text, with a message for an admin; null for valid JSON. Deep nesting is an error here. */
export function findJsonError(json: string): JsonError | null {
  let depth = 0;
  const onBegin = (at: number) => {
    depth += 1;
    if (depth > DEPTH_MAX) throw new JsonErrorFound(at, `nested more than ${DEPTH_MAX} levels deep`);
  };
  const onEnd = () => {
    depth -= 1;
  };
  const onError = (code: ParseErrorCode, at: number) => {
    throw describeError(json, code, at);
  };
  try {
    visit(
      json,
      { onObjectBegin: onBegin, onObjectEnd: onEnd, onArrayBegin: onBegin, onArrayEnd: onEnd, onError },
      STRICT,
    );
    return null;
  } catch (error) {
    if (error instanceof JsonErrorFound) return error.found;
    throw error;
  }
}

/** By the parser's names of its error codes. */
const MESSAGES: Record<string, string> = {
  InvalidSymbol: 'text must be in double quotes',
  InvalidNumberFormat: 'invalid number',
  UnexpectedEndOfNumber: 'invalid number',
  PropertyNameExpected: 'expected a name in double quotes',
  ValueExpected: 'missing value',
  ColonExpected: 'missing colon',
  CommaExpected: 'missing comma',
  EndOfFileExpected: 'unexpected text after the end of the JSON',
  InvalidCommentToken: "comments aren't allowed",
  UnexpectedEndOfComment: "comments aren't allowed",
};
const IN_STRING = ['UnexpectedEndOfString', 'InvalidEscapeCharacter', 'InvalidUnicode', 'InvalidCharacter'];

function describeError(json: string, code: ParseErrorCode, at: number): JsonErrorFound {
  const name = printParseErrorCode(code);
  const character = json.charAt(at);
  if (character === '') return new JsonErrorFound(at, 'unexpected end; a } or ] is missing');
  if (IN_STRING.includes(name)) return describeStringError(json, at);
  if (/\d/.test(character) && /(?:^|[^\d.eE+-])-?0$/.test(json.slice(Math.max(0, at - 3), at)))
    return new JsonErrorFound(at - 1, "a number can't start with 0");
  if (name === 'PropertyNameExpected' && character === '}')
    return new JsonErrorFound(at, 'unexpected comma before this');
  if (name === 'InvalidSymbol' && /["\w}\]]\s*$/.test(json.slice(0, at)))
    return new JsonErrorFound(at, 'missing comma');
  return new JsonErrorFound(at, MESSAGES[name] ?? 'invalid JSON');
}

/** The parser reports the start of the string; the admin needs the invalid character. */
function describeStringError(json: string, at: number): JsonErrorFound {
  VALID_IN_QUOTES.lastIndex = at + 1;
  const end = VALID_IN_QUOTES.test(json) ? VALID_IN_QUOTES.lastIndex : at + 1;
  if (end === json.length) return new JsonErrorFound(at, 'this quote is never closed');
  if (json[end] === '\\') return new JsonErrorFound(end, 'invalid escape; write a backslash as \\\\');
  return new JsonErrorFound(end, 'invalid character in quotes; write a line break as \\n and a tab as \\t');
}

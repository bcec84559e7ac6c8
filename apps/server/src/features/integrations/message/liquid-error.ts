import type { Token } from 'liquidjs';

/** Why Liquid cannot use a template, and after how many of its characters; null where that is not known. */
export interface LiquidError {
  text: string;
  at: number | null;
}

const ENDLESS = 'The template does not come to an end, or makes too much text.';
const TOO_DEEP = 'The template is nested too deeply.';

const MEANINGS: readonly [RegExp, (...found: string[]) => string][] = [
  [/limit exceeded|Invalid string length/, () => ENDLESS],
  [/call stack/, () => TOO_DEEP],
  [/^output .* not closed$/s, () => 'What begins here with {{ is not closed: }} is missing.'],
  [/^tag "\{%.* not closed$/s, () => 'What begins here with {% is not closed: %} is missing.'],
  [
    /^(?:tag \{%-?\s*(\w+).*|raw ".*) not closed$/s,
    (name = 'raw') => `{% ${name} %} needs {% end${name} %} behind it.`,
  ],
  [
    /^tag "(include|render|layout|block)" not found$/,
    (name) => `{% ${name} %} cannot be used: there are no other files.`,
  ],
  [/^tag "((?:end|els)\w*)" not found$/, (name) => `Nothing is open here that {% ${name} %} could belong to.`],
  [/^tag "(\w+)" not found$/, (name) => `Liquid does not know {% ${name} %}.`],
  [/^illegal tag: (.*)$/s, (tag) => `This is not written as Liquid wants it: ${tag}`],
  [/^(?:invalid value expression|invalid value): ""/, () => 'A placeholder is missing between the braces.'],
];

/** What was thrown by parsing or rendering, in words for an admin. */
export function toLiquidError(thrown: unknown): LiquidError {
  const { message = '', token } = (thrown ?? {}) as { message?: string; token?: Token };
  const bare = message.replace(/, (?:file:.*, )?line:\d+, col:\d+$/s, '');
  for (const [pattern, wordsFor] of MEANINGS) {
    const found = pattern.exec(bare);
    if (found) return { text: wordsFor(...found.slice(1)).slice(0, 200), at: token?.begin ?? null };
  }
  return { text: `Liquid cannot read this: ${bare.slice(0, 200)}.`, at: token?.begin ?? null };
}

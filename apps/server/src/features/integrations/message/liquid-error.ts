import type { Token } from 'liquidjs';

/** A Liquid error and its offset in the template; null if unknown. */
export interface LiquidError {
  text: string;
  at: number | null;
}

const ENDLESS = "The template doesn't terminate, or produces too much text.";
const TOO_DEEP = 'The template is nested too deeply.';

const MEANINGS: readonly [RegExp, (...found: string[]) => string][] = [
  [/limit exceeded|Invalid string length/, () => ENDLESS],
  [/call stack/, () => TOO_DEEP],
  [/^output .* not closed$/s, () => 'This {{ is never closed with }}.'],
  [/^tag "\{%.* not closed$/s, () => 'This {% is never closed with %}.'],
  [
    /^(?:tag \{%-?\s*(\w+).*|raw ".*) not closed$/s,
    (name = 'raw') => `{% ${name} %} has no matching {% end${name} %}.`,
  ],
  [
    /^tag "(include|render|layout|block)" not found$/,
    (name) => `{% ${name} %} isn't supported: templates can't include files.`,
  ],
  [/^tag "((?:end|els)\w*)" not found$/, (name) => `{% ${name} %} has no matching opening tag.`],
  [/^tag "(\w+)" not found$/, (name) => `Unknown tag {% ${name} %}.`],
  [/^illegal tag: (.*)$/s, (tag) => `Invalid Liquid syntax: ${tag}`],
  [/^(?:invalid value expression|invalid value): ""/, () => 'The braces are empty. Enter a placeholder.'],
];

export function toLiquidError(thrown: unknown): LiquidError {
  const { message = '', token } = (thrown ?? {}) as { message?: string; token?: Token };
  const bare = message.replace(/, (?:file:.*, )?line:\d+, col:\d+$/s, '');
  for (const [pattern, toMessage] of MEANINGS) {
    const found = pattern.exec(bare);
    if (found) return { text: toMessage(...found.slice(1)).slice(0, 200), at: token?.begin ?? null };
  }
  return { text: `Invalid Liquid: ${bare.slice(0, 200)}.`, at: token?.begin ?? null };
}

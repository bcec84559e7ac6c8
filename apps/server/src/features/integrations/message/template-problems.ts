import type { TemplateProblem } from '@steward/contract/integrations';

/** Line and column of a character, both counted from 1. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

export function problem(text: string, place: { line: number; column: number } | null = null): TemplateProblem {
  return { severity: 'error', text, line: null, column: null, ...place, suggestion: null };
}

/** The first error of a template with its position; null if the template can be saved. */
export function toRefusal(problems: readonly TemplateProblem[]): string | null {
  const error = problems.find(({ severity }) => severity === 'error');
  if (!error) return null;
  return error.line === null ? error.text : `Line ${error.line}, column ${error.column}: ${error.text}`;
}

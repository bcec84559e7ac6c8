import type { TemplateProblem } from '@steward/contract/integrations';

/** An error in a template; lines and columns count from 1. */
export function problem(text: string, place: { line: number; column: number } | null = null): TemplateProblem {
  return { severity: 'error', text, line: null, column: null, ...place, suggestion: null };
}

/** The first error of a template with its position; null if the template can be saved. */
export function toRefusal(problems: readonly TemplateProblem[]): string | null {
  const error = problems.find(({ severity }) => severity === 'error');
  if (!error) return null;
  return error.line === null ? error.text : `Line ${error.line}, column ${error.column}: ${error.text}`;
}

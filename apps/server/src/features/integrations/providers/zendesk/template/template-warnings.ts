import type { TemplateProblem } from '@steward/contract/integrations';
import { FILTERS } from '@steward/liquid/liquid.ts';
import { analyzeSync, type Template, Tokenizer, TokenKind } from 'liquidjs';
import { lineAndColumn } from '../../../message/template-problems.ts';
import { findNearest, isGroup, isKnown, suggestionFor } from './placeholders.ts';

/** `{{name}}` without filters. */
const BARE_NAME = /^\{\{-?\s*([\w.]+)\s*-?\}\}$/;
const OF_A_TICKET = /^(?:ticket|current_user|agent|satisfaction|dc)\./;

/** A problem whose suggestion may still have to be looked for. */
export type Finding = Omit<TemplateProblem, 'suggestion'> & { suggestion: string | null | (() => string | null) };

/** Comparing with every name takes long, so it is done only for the problems that are shown. */
export function findSuggestion({ suggestion, ...problem }: Finding): TemplateProblem {
  return { ...problem, suggestion: typeof suggestion === 'function' ? suggestion() : suggestion };
}

/** Probable mistakes that don't prevent saving, in order of position. */
export function findWarnings(source: string, template: Template[]): Finding[] {
  const found = [...unknownNames(template), ...codeWarnings(source)];
  return found.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Unknown placeholders, each once. Variables that the template assigns are not placeholders. */
function unknownNames(template: Template[]): Finding[] {
  const problems = new Map<string, Finding>();
  for (const { segments, location } of Object.values(analyzeSync(template, { partials: false }).globals).flat()) {
    const path = segments.map((part) => (typeof part === 'object' ? null : part));
    if (isKnown(path)) continue;
    const name = path.filter((part) => typeof part === 'string').join('.');
    if (problems.has(name)) continue;
    problems.set(name, {
      severity: 'warning',
      text: `Unknown placeholder ${name.slice(0, 100)}. It prints nothing.`,
      line: location.row,
      column: location.col,
      suggestion: () => suggestionFor(name.slice(0, 100)),
    });
  }
  return [...problems.values()];
}

/** Warnings that depend only on syntax. */
function codeWarnings(source: string): Finding[] {
  const problems: Finding[] = [];
  let inQuotes = false;
  for (const { kind, begin, end } of new Tokenizer(source).readTopLevelTokens()) {
    const text = source.slice(begin, end);
    if (kind === TokenKind.HTML) {
      inQuotes = quotesAfter(inQuotes, text);
      continue;
    }
    for (const { text: words, suggestion, at } of [...filterWarnings(text), ...printed(text, kind, inQuotes)]) {
      problems.push({ severity: 'warning', text: words, ...lineAndColumn(source, begin + at), suggestion });
    }
  }
  return problems;
}

interface Warning extends Pick<Finding, 'text' | 'suggestion'> {
  at: number;
}

function filterWarnings(code: string): Warning[] {
  const unquoted = code.replaceAll(/"[^"]*"|'[^']*'/g, (quoted) => ' '.repeat(quoted.length));
  return [...unquoted.matchAll(/\|\s*([A-Za-z_]\w*)/g)].flatMap(({ 1: name = '', index }) => {
    if (FILTERS.includes(name)) return [];
    const escaped = name === 'json' ? ' Output is escaped for JSON automatically.' : '';
    const suggestion = () => {
      const nearest = findNearest(name.slice(0, 40), FILTERS);
      return nearest && nearest.distance <= name.length / 3 ? nearest.name : null;
    };
    return [{ text: `Unknown filter ${name.slice(0, 40)}.${escaped}`, suggestion, at: index }];
  });
}

function printed(code: string, kind: TokenKind, inQuotes: boolean): Warning[] {
  const name = kind === TokenKind.Output ? BARE_NAME.exec(code)?.[1] : undefined;
  if (name === undefined || !OF_A_TICKET.test(name)) return [];
  if (isGroup(name)) {
    const text = `${name} has no readable value of its own.`;
    return [
      { text, suggestion: name.includes('comment') ? 'ticket.latest_public_comment.value' : `${name}.name`, at: 0 },
    ];
  }
  // A ticket always has its number.
  if (inQuotes || name === 'ticket.id') return [];
  return [
    { text: `Put quotes around {{${name}}}. Otherwise the JSON is invalid when it's empty.`, suggestion: null, at: 0 },
  ];
}

function quotesAfter(inQuotes: boolean, text: string): boolean {
  const quotes = text.replaceAll(/\\./gs, '').split('"').length - 1;
  return quotes % 2 === 1 ? !inQuotes : inQuotes;
}

import { Button } from '@mantine/core';
import type { TemplateProblem } from '@steward/contract/integrations';
import { Icon } from '#platform/page/icon.tsx';
import classes from '../triggers/problems.module.css';
import type { Editor, TextRange } from './use-editor.ts';

interface TemplateProblemsProps {
  editor: Editor;
  problems: readonly TemplateProblem[];
  /** They are about what was typed before. */
  isStale: boolean;
}

/** What is wrong or odd in a template, each with its place. */
export function TemplateProblems({ editor, problems, isStale }: TemplateProblemsProps) {
  return (
    <div className={classes.problems}>
      <p role="status" className={classes.count}>
        {formatCount(problems)}
      </p>
      {problems.length > 0 && (
        <ul className={classes.list} aria-label="Problems">
          {problems.map((problem) => (
            <li key={JSON.stringify(problem)} className={classes.problem} data-severity={problem.severity}>
              <Icon name="warning" size={16} />
              <div className={classes.words}>
                <Place editor={editor} textRange={getTextRange(problem)} /> {problem.text}{' '}
                <Suggestion editor={editor} problem={problem} isStale={isStale} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Place({ editor, textRange }: { editor: Editor; textRange: TextRange | undefined }) {
  if (textRange === undefined) return null;
  return (
    <button type="button" className={classes.place} onClick={() => editor.jump(textRange)}>
      Line {textRange.line}, column {textRange.column}
    </button>
  );
}

function Suggestion({ editor, problem, isStale }: { editor: Editor; problem: TemplateProblem; isStale: boolean }) {
  const textRange = getTextRange(problem);
  const { suggestion } = problem;
  if (suggestion === null || textRange === undefined) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      className={classes.suggestion ?? ''}
      // The place may have moved by what was typed since.
      onClick={() => !isStale && editor.mend(textRange, suggestion)}
    >
      Did you mean {suggestion}?
    </Button>
  );
}

function getTextRange({ line, column }: TemplateProblem): TextRange | undefined {
  return line === null || column === null ? undefined : { line, column };
}

function formatCount(problems: readonly TemplateProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const count = (many: number, word: string) => (many === 0 ? [] : [`${many} ${word}${many === 1 ? '' : 's'}`]);
  return [...count(errors, 'error'), ...count(warnings, 'warning')].join(', ');
}

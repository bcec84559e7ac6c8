import { Button } from '@mantine/core';
import type { TemplateProblem } from '@steward/contract/integrations';
import { Icon } from '#platform/page/icon.tsx';
import classes from '../triggers/findings.module.css';
import type { Editor, Spot } from './use-editor.ts';

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
        {countText(problems)}
      </p>
      {problems.length > 0 && (
        <ul className={classes.list} aria-label="Problems">
          {problems.map((problem) => (
            <li key={JSON.stringify(problem)} className={classes.problem} data-severity={problem.severity}>
              <Icon name="warning" size={16} />
              <div className={classes.words}>
                <Place editor={editor} spot={spotOf(problem)} /> {problem.text}{' '}
                <Suggestion editor={editor} problem={problem} isStale={isStale} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Place({ editor, spot }: { editor: Editor; spot: Spot | undefined }) {
  if (spot === undefined) return null;
  return (
    <button type="button" className={classes.place} onClick={() => editor.jump(spot)}>
      Line {spot.line}, column {spot.column}
    </button>
  );
}

function Suggestion({ editor, problem, isStale }: { editor: Editor; problem: TemplateProblem; isStale: boolean }) {
  const spot = spotOf(problem);
  const { suggestion } = problem;
  if (suggestion === null || spot === undefined) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      className={classes.suggestion ?? ''}
      // The place may have moved by what was typed since.
      onClick={() => !isStale && editor.mend(spot, suggestion)}
    >
      Did you mean {suggestion}?
    </Button>
  );
}

function spotOf({ line, column }: TemplateProblem): Spot | undefined {
  return line === null || column === null ? undefined : { line, column };
}

function countText(problems: readonly TemplateProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const count = (many: number, word: string) => (many === 0 ? [] : [`${many} ${word}${many === 1 ? '' : 's'}`]);
  return [...count(errors, 'error'), ...count(warnings, 'warning')].join(', ');
}

import { Anchor, Stack, Text } from '@mantine/core';
import type { TemplateProblem } from '@steward/contract/integrations';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Findings } from './findings.tsx';
import type { Editor, TextPosition } from './use-editor.ts';

interface TemplateProblemsProps {
  editor: Editor;
  problems: readonly TemplateProblem[];
  /** The problems belong to an earlier version of the text. */
  isStale: boolean;
}

export function TemplateProblems({ editor, problems, isStale }: TemplateProblemsProps) {
  const findings = problems.map((problem) => ({
    key: JSON.stringify(problem),
    severity: problem.severity,
    content: (
      <>
        <ProblemPosition editor={editor} position={getPosition(problem)} /> {problem.text}{' '}
        <Suggestion editor={editor} problem={problem} isStale={isStale} />
      </>
    ),
  }));
  return (
    <Stack gap="xs" miw={0}>
      <Text role="status" c="dimmed" size="xs">
        {formatCount(problems)}
      </Text>
      {problems.length > 0 && <Findings label="Problems" findings={findings} />}
    </Stack>
  );
}

function ProblemPosition({ editor, position }: { editor: Editor; position: TextPosition | undefined }) {
  if (position === undefined) return null;
  return (
    <Anchor
      component="button"
      type="button"
      c="inherit"
      fw={500}
      mih={24}
      td="underline"
      onClick={() => editor.moveTo(position)}
    >
      Line {position.line}, column {position.column}
    </Anchor>
  );
}

function Suggestion({ editor, problem, isStale }: { editor: Editor; problem: TemplateProblem; isStale: boolean }) {
  const position = getPosition(problem);
  const { suggestion } = problem;
  if (suggestion === null || position === undefined) return null;
  return (
    <RowButton
      style={{ verticalAlign: 'baseline' }}
      // The position may have changed since the check.
      onClick={() => !isStale && editor.replaceName(position, suggestion)}
    >
      Did you mean {suggestion}?
    </RowButton>
  );
}

function getPosition({ line, column }: TemplateProblem): TextPosition | undefined {
  return line === null || column === null ? undefined : { line, column };
}

function formatCount(problems: readonly TemplateProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const count = (many: number, word: string) => (many === 0 ? [] : [`${many} ${word}${many === 1 ? '' : 's'}`]);
  return [...count(errors, 'error'), ...count(warnings, 'warning')].join(', ');
}

import { Group, Input, Stack } from '@mantine/core';
import type { TemplateProblem } from '@steward/contract/integrations';
import { memo, type ReactNode, useId } from 'react';
import type { Provider } from '../providers/provider.ts';
import classes from './template.module.css';
import type { Editor } from './use-editor.ts';

const ROWS = 100;

interface TemplateEditorProps {
  editor: Editor;
  value: string;
  problems: readonly TemplateProblem[];
  error: string | undefined;
  tools: ReactNode;
  texts: Provider['template'];
  onChange: (template: string) => void;
}

/** Tab leaves the field, so that the editor isn't a keyboard trap. */
export function TemplateEditor({ editor, value, problems, error, tools, texts, onChange }: TemplateEditorProps) {
  const id = useId();
  return (
    <Stack gap="xs" miw={0}>
      <Group justify="space-between" align="flex-end" gap="8px 16px">
        <div className={classes.label}>
          <Input.Label htmlFor={id}>{texts.label}</Input.Label>
          <Input.Description id={`${id}-hint`}>
            Placeholder: <code>{texts.example}</code> is replaced with the {texts.meaning}.
          </Input.Description>
        </div>
        {tools}
      </Group>
      <div className={classes.frame} data-wrong={error !== undefined || undefined}>
        <div className={classes.sheet}>
          <Lines text={value} problems={problems} />
          <textarea
            ref={editor.field}
            id={id}
            className={classes.area}
            rows={ROWS}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            aria-invalid={error !== undefined || undefined}
            aria-describedby={`${id}-hint ${id}-error`}
            value={value}
            onFocus={editor.onFocus}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
        </div>
      </div>
      <Input.Error id={`${id}-error`} role="alert">
        {error}
      </Input.Error>
    </Stack>
  );
}

interface LinesProps {
  text: string;
  problems: readonly TemplateProblem[];
}

// A hidden copy of the text is behind the text field, one element per line, so that wrapped lines have one number and lines with a problem
// are highlighted.
const Lines = memo(function Lines({ text, problems }: LinesProps) {
  const worst = new Map<number, string>();
  for (const { line, severity } of problems) {
    if (line !== null && worst.get(line) !== 'error') worst.set(line, severity);
  }
  return (
    <div className={classes.lines} aria-hidden="true">
      {text.split('\n').map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
        <div key={at} className={classes.line} data-line={at + 1} data-severity={worst.get(at + 1)}>
          <span className={classes.number}>{at + 1}</span>
          <span className={classes.ghost}>{line}</span>
        </div>
      ))}
    </div>
  );
});

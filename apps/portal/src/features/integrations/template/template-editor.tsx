import { Input } from '@mantine/core';
import type { TemplateProblem } from '@steward/contract/integrations';
import { memo, type ReactNode, useId } from 'react';
import classes from './template.module.css';
import type { Editor } from './use-editor.ts';

/** Rows of the text field (spec §2). */
const ROWS = 100;

interface TemplateEditorProps {
  editor: Editor;
  value: string;
  problems: readonly TemplateProblem[];
  error: string | undefined;
  /** What helps with writing, beside the label. */
  tools: ReactNode;
  /** Whether the template makes JSON; otherwise it makes the text itself. */
  isJson: boolean;
  onChange: (template: string) => void;
}

/** The JSON body with its lines numbered. Tab leaves it as it leaves every field. */
export function TemplateEditor({ editor, value, problems, error, tools, isJson, onChange }: TemplateEditorProps) {
  const id = useId();
  return (
    <div className={classes.editor}>
      <div className={classes.editorHead}>
        <div>
          <Input.Label htmlFor={id}>{isJson ? 'JSON body' : 'Message template'}</Input.Label>
          <Input.Description id={`${id}-hint`}>
            Placeholder: <code>{isJson ? '{{ticket.title}}' : '{{ title }}'}</code> is replaced with the{' '}
            {isJson ? "ticket's title" : 'value of that key in the JSON'}.
          </Input.Description>
        </div>
        {tools}
      </div>
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
      <p id={`${id}-error`} role="alert" className={classes.error}>
        {error}
      </p>
    </div>
  );
}

interface LinesProps {
  text: string;
  problems: readonly TemplateProblem[];
}

// Under the text field lies the same text unseen, line by line: so a number stands beside its line also where lines are
// broken, and a line with a problem has a colour.
const Lines = memo(function Lines({ text, problems }: LinesProps) {
  const worst = new Map<number, string>();
  for (const { line, severity } of problems) {
    if (line !== null && worst.get(line) !== 'error') worst.set(line, severity);
  }
  return (
    <div className={classes.lines} aria-hidden="true">
      {text.split('\n').map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing else that it is
        <div key={at} className={classes.line} data-line={at + 1} data-severity={worst.get(at + 1)}>
          <span className={classes.number}>{at + 1}</span>
          <span className={classes.ghost}>{line}</span>
        </div>
      ))}
    </div>
  );
});

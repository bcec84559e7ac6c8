import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Icon } from '#platform/page/icon.tsx';
import classes from './preview.module.css';
import type { Preview } from './use-preview.ts';

interface TemplatePreviewProps {
  preview: Preview;
  /** What is done with it. */
  children: ReactNode;
}

/** The message as it would stand in a channel, for a sample ticket. */
export function TemplatePreview({ preview, children }: TemplatePreviewProps) {
  return (
    <section className={classes.preview} aria-labelledby="template-preview">
      <h3 id="template-preview" className={classes.previewTitle}>
        Preview
      </h3>
      <p className={classes.note}>What stands in the channels, for a sample ticket.</p>
      <Message preview={preview} />
      {children}
    </section>
  );
}

function Message({ preview: { rendered, isEmpty, isStale, failure, retry } }: { preview: Preview }) {
  if (failure !== null) {
    return (
      <div className={classes.unseen} role="alert">
        The preview could not be made: {getFailureMessage(failure)}
        <Button size="compact-sm" variant="default" onClick={retry}>
          Retry
        </Button>
      </div>
    );
  }
  if (isEmpty) return <p className={classes.unseen}>Write a template to see its message.</p>;
  if (rendered === undefined) return <div className={classes.unseen} aria-busy="true" />;
  if (rendered.json === '') {
    return (
      <p className={classes.unseen} data-stale={isStale || undefined}>
        There is no message: the template has an error.
      </p>
    );
  }
  return (
    <div className={classes.rendered} data-stale={isStale || undefined} aria-busy={isStale}>
      <figure className={classes.message} aria-label="Message">
        <span className={classes.avatar}>
          <Icon name="plug" size={16} />
        </span>
        <div className={classes.said}>
          <figcaption className={classes.author}>Zendesk</figcaption>
          <p className={classes.text}>{rendered.text}</p>
        </div>
      </figure>
      <details className={classes.fold}>
        <summary>JSON that Zendesk sends</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is long is scrolled by the keyboard too */}
        <pre className={classes.json} tabIndex={0}>
          {rendered.json}
        </pre>
      </details>
    </div>
  );
}

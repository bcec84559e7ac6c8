import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Icon } from '#platform/page/icon.tsx';
import classes from './preview.module.css';
import type { Preview } from './use-preview.ts';

interface TemplatePreviewProps {
  preview: Preview;
  /** Of the service. */
  name: string;
  /** What is done with it. */
  children: ReactNode;
}

/** The message as it would stand in a channel, for a sample ticket. */
export function TemplatePreview({ preview, name, children }: TemplatePreviewProps) {
  return (
    <section className={classes.preview} aria-labelledby="template-preview">
      <h3 id="template-preview" className={classes.previewTitle}>
        Preview
      </h3>
      <p className={classes.note}>
        {name === 'Zendesk'
          ? 'How the message will look, using a sample ticket.'
          : 'How the message will look, using the last payload received.'}
      </p>
      <Message preview={preview} name={name} />
      {children}
    </section>
  );
}

function Message({
  preview: { rendered, isEmpty, isStale, failure, retry },
  name,
}: {
  preview: Preview;
  name: string;
}) {
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
        Fix the template error to see a preview.
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
          <figcaption className={classes.author}>{name}</figcaption>
          <p className={classes.text}>{rendered.text}</p>
        </div>
      </figure>
      <details className={classes.fold}>
        <summary>{name === 'Zendesk' ? 'JSON sent by Zendesk' : 'Payload'}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is long is scrolled by the keyboard too */}
        <pre className={classes.json} tabIndex={0}>
          {rendered.json}
        </pre>
      </details>
    </div>
  );
}

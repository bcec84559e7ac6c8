import { Code, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Icon } from '#platform/page/icon.tsx';
import type { Provider } from '../providers/provider.ts';
import classes from './template.module.css';
import type { Preview } from './use-preview.ts';

interface TemplatePreviewProps {
  preview: Preview;
  name: string;
  texts: Provider['preview'];
  children: ReactNode;
}

/** The preview uses a sample ticket. */
export function TemplatePreview({ preview, name, texts, children }: TemplatePreviewProps) {
  return (
    <Stack role="region" gap="xs" miw={0} aria-labelledby="template-preview">
      <div>
        <Text component="h3" id="template-preview" fw={500}>
          Preview
        </Text>
        <Text c="dimmed" size="xs">
          {texts.description}
        </Text>
      </div>
      <Message preview={preview} name={name} texts={texts} />
      {children}
    </Stack>
  );
}

function Message({ preview, name, texts }: Omit<TemplatePreviewProps, 'children'>) {
  const { rendered, isEmpty, isStale, failure, retry } = preview;
  if (failure !== null) {
    return (
      <Placeholder>
        <span role="alert">The preview couldn't be loaded: {getFailureMessage(failure)}</span>
        <RowButton onClick={retry}>Retry</RowButton>
      </Placeholder>
    );
  }
  if (isEmpty) return <Placeholder>Write a template to see its message.</Placeholder>;
  if (rendered === undefined) return <Placeholder isBusy />;
  if (rendered.json === '')
    return <Placeholder isStale={isStale}>Fix the template error to see a preview.</Placeholder>;
  return (
    <Paper
      withBorder
      bg="transparent"
      className={classes.preview ?? ''}
      data-stale={isStale || undefined}
      aria-busy={isStale}
    >
      <Group
        renderRoot={(props) => <figure {...props} aria-label="Message" />}
        gap="sm"
        wrap="nowrap"
        align="flex-start"
        m={0}
        p="md"
        mih="6rem"
      >
        <ThemeIcon variant="light" size={32}>
          <Icon name="plug" size={16} />
        </ThemeIcon>
        <div>
          <Text component="figcaption" fw={600}>
            {name}
          </Text>
          <Text className={classes.text ?? ''}>{rendered.text}</Text>
        </div>
      </Group>
      <details className={classes.json}>
        <summary>{texts.payload}</summary>
        <Code block tabIndex={0} mah="20rem">
          {rendered.json}
        </Code>
      </details>
    </Paper>
  );
}

interface PlaceholderProps {
  isBusy?: boolean;
  isStale?: boolean;
  children?: ReactNode;
}

function Placeholder({ isBusy = false, isStale = false, children }: PlaceholderProps) {
  return (
    <Paper
      withBorder
      bg="transparent"
      p="md"
      mih="6rem"
      className={classes.preview ?? ''}
      data-stale={isStale || undefined}
      aria-busy={isBusy}
    >
      <Group gap="xs" c="dimmed">
        {children}
      </Group>
    </Paper>
  );
}

import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Stack.layer.css';
import '@mantine/core/styles/Text.layer.css';
import { Paper, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { PreviewNotice } from '#platform/feedback/preview-notice.tsx';
import { Page } from '#platform/page/page.tsx';
import { FileIcon } from './file-icon.tsx';
import { FileMenu } from './file-menu.tsx';
import classes from './files.module.css';
import { FILE_GROUPS, type FileKind, type FileSample } from './samples.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/files')({ component: FilesPage });

function FilesPage() {
  return (
    <Page title="Files" description="Files shared in this team, by type.">
      <PreviewNotice>Preview only. These are sample files; actions are disabled.</PreviewNotice>
      <Stack gap="lg">
        {FILE_GROUPS.map(({ kind, title, files }) => (
          <section key={kind} aria-labelledby={`files-${kind}`}>
            <Text component="h2" id={`files-${kind}`} fw={600} mb="xs">
              {title}{' '}
              <Text span c="dimmed">
                {files.length}
              </Text>
            </Text>
            <Paper
              component="ul"
              withBorder
              bg="var(--surface-raised)"
              className={classes.list ?? ''}
              aria-labelledby={`files-${kind}`}
            >
              {files.map((file) => (
                <FileRow key={file.name} kind={kind} file={file} />
              ))}
            </Paper>
          </section>
        ))}
      </Stack>
    </Page>
  );
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

function FileRow({ kind, file: { name, size, date } }: { kind: FileKind; file: FileSample }) {
  return (
    <li className={classes.row}>
      <span className={classes.drawing}>
        <FileIcon kind={kind} />
      </span>
      <span className={classes.facts}>
        <span className={classes.name} title={name}>
          {name}
        </span>
        <Text span c="dimmed" size="xs">
          {size}
        </Text>
        <Text component="time" c="dimmed" size="xs" dateTime={date}>
          {DAY.format(new Date(date))}
        </Text>
      </span>
      <FileMenu name={name} />
    </li>
  );
}

import { ActionIcon, Group, Menu, Paper, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import {
  File,
  FileCode,
  FileSpreadsheet,
  FileText,
  Film,
  FolderOpen,
  Image,
  type LucideIcon,
  Scissors,
} from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { PreviewNotice } from '#platform/feedback/preview-notice.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page } from '#platform/page/page.tsx';
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

const ICONS: Record<FileKind, LucideIcon> = {
  video: Film,
  image: Image,
  text: FileText,
  xml: FileCode,
  office: FileSpreadsheet,
  other: File,
};

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

function FileRow({ kind, file: { name, size, date } }: { kind: FileKind; file: FileSample }) {
  const Icon = ICONS[kind];
  return (
    <Group className={classes.row ?? ''} gap="sm" wrap="nowrap" renderRoot={(props) => <li {...props} />}>
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      <Group className={classes.facts ?? ''} gap="2px 16px" flex={1} miw={0}>
        <Text span fw={500} truncate title={name}>
          {name}
        </Text>
        <Text span c="dimmed" size="xs" w="5rem">
          {size}
        </Text>
        <Text component="time" c="dimmed" size="xs" w="8rem" dateTime={date}>
          {DAY.format(new Date(date))}
        </Text>
      </Group>
      <FileMenu name={name} />
    </Group>
  );
}

const ITEMS: readonly { label: string; icon: ReactNode }[] = [
  { label: 'Open', icon: <FolderOpen size={16} strokeWidth={1.75} aria-hidden="true" /> },
  { label: 'Cut', icon: <Scissors size={16} strokeWidth={1.75} aria-hidden="true" /> },
  { label: 'Copy', icon: <Icon name="copy" size={16} /> },
  { label: 'Rename', icon: <Icon name="edit" size={16} /> },
  { label: 'Delete', icon: <Icon name="trash" size={16} /> },
];

/** The menu belongs in the main landmark of the page. */
const MAIN_PORTAL = { target: '#main' };

/** The items can be focused and say that they aren't available. */
function FileMenu({ name }: { name: string }) {
  const reasonId = useId();
  return (
    <Menu position="bottom-end" offset={4} width={220} withInitialFocusPlaceholder={false} portalProps={MAIN_PORTAL}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Actions for ${name}`}>
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label id={reasonId}>Not available in preview</Menu.Label>
        {ITEMS.map(({ label, icon }) => (
          <Menu.Item
            key={label}
            component={IdleItem}
            aria-describedby={reasonId}
            leftSection={icon}
            closeMenuOnClick={false}
            c="dimmed"
            style={{ cursor: 'default' }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Mantine skips disabled items; this one can be reached with the arrow keys. */
function IdleItem(props: ComponentProps<'button'>) {
  return <button {...props} type="button" aria-disabled="true" />;
}

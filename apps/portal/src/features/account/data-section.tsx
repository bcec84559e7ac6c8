import { Anchor, Group, Text } from '@mantine/core';
import { EXPORT_DAYS } from '@steward/contract/api/limits';
import type { DataExport } from '@steward/contract/users/privacy';
import { useQuery } from '@tanstack/react-query';
import { showFailure } from '#platform/feedback/alerts.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { formatBytes } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { ownExportQueryOptions, useExportOwnData } from './account.queries.ts';
import { Loaded, Section } from './section.tsx';

export function DataSection() {
  const latest = useQuery(ownExportQueryOptions);
  const start = useExportOwnData();
  return (
    <Section
      title="Your data"
      description={`A ZIP file with your profile, sign-ins, directory entries, and the messages, files and records you created in all of your teams. It can be downloaded for ${EXPORT_DAYS} days.`}
    >
      <Loaded {...latest}>
        {({ export: found }) => {
          const isWaiting = found?.state === 'queued' || found?.state === 'running';
          const ask = () => start.mutate({}, { onError: showFailure });
          return (
            <Group gap="md">
              <FocusableButton variant="default" isDisabled={isWaiting} isBusy={start.isPending} onPress={ask}>
                {found === null ? 'Export your data' : 'Export again'}
              </FocusableButton>
              <span role="status">{found !== null && <State latest={found} />}</span>
            </Group>
          );
        }}
      </Loaded>
    </Section>
  );
}

function State({ latest: { state, url, size, expires_at } }: { latest: DataExport }) {
  if (url !== null)
    return (
      <>
        <Anchor href={url} download>
          Download ({formatBytes(size)})
        </Anchor>{' '}
        <Text span c="dimmed">
          until <Timestamp at={expires_at} />
        </Text>
      </>
    );
  return (
    <Text span c="dimmed">
      {state === 'failed' ? 'The export failed. Try again.' : 'The file is being written…'}
    </Text>
  );
}

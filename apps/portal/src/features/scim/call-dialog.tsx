import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ScimLogEntry } from '@steward/contract/scim';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { formatBody, getCallState, getCallTitle } from './call-text.ts';

interface CallDialogProps {
  call: ScimLogEntry;
  opened: boolean;
  onClose: () => void;
}

/** A call with its request and what became of it. */
export function CallDialog({ call, opened, onClose }: CallDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={getCallTitle(call)} width={720}>
      <Stack gap="sm" miw={0}>
        <Group gap="4px 12px">
          <StateBadge {...getCallState(call)} />
          <Timestamp at={call.at} />
          <Text span c="dimmed" size="xs">
            Status {call.status}
          </Text>
        </Group>
        <Text style={{ overflowWrap: 'anywhere' }}>
          <bdi>{call.effect}</bdi>
        </Text>
        <Block title="Request" text={`${call.method} ${call.path}`} />
        {call.request !== '' && <Block title="Body, without passwords" text={formatBody(call.request)} />}
        <Text c="dimmed" size="xs">
          Request id <span style={{ fontFamily: 'var(--mantine-font-family-monospace)' }}>{call.request_id}</span>
        </Text>
      </Stack>
      <DialogButtons>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <Stack gap={6}>
      <Text component="h3" c="dimmed" size="xs" fw={500}>
        {title}
      </Text>
      {/* Focusable, so that long text can be scrolled by keyboard. */}
      <Code
        block
        role="region"
        aria-label={title}
        tabIndex={0}
        mah="18rem"
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {text}
      </Code>
    </Stack>
  );
}

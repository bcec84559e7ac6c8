import { Group, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '#platform/page/icon.tsx';

export function PreviewNotice({ children }: { children: ReactNode }) {
  return (
    <Paper role="note" withBorder maw={640} p={12} bg="var(--surface-quiet)">
      <Group gap={10} wrap="nowrap" align="flex-start">
        <Text span c="dimmed" lh={0} pt={1}>
          <Icon name="info" />
        </Text>
        <Text miw={0} style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
      </Group>
    </Paper>
  );
}

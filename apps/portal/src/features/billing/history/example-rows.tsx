import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { StateBadge } from '#platform/feedback/state-badge.tsx';

export function ExampleRows({ children }: { children: ReactNode }) {
  return (
    <Stack gap="sm" miw={0}>
      <div>
        <StateBadge tone="undone" word="Sample data" />
      </div>
      {children}
    </Stack>
  );
}

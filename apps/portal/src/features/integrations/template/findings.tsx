import { Alert, List } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '#platform/page/icon.tsx';

interface Finding {
  key: string;
  /** 'none' means that there is no problem. */
  severity: 'error' | 'warning' | 'none';
  content: ReactNode;
}

const COLORS = { error: 'red', warning: 'yellow', none: 'green' } as const;

export function Findings({ label, findings }: { label: string; findings: readonly Finding[] }) {
  return (
    <List listStyleType="none" spacing={6} aria-label={label}>
      {findings.map(({ key, severity, content }) => (
        <List.Item key={key}>
          <Alert
            role="presentation"
            color={COLORS[severity]}
            px="xs"
            py={6}
            icon={<Icon name={severity === 'none' ? 'check' : 'warning'} size={16} />}
          >
            {content}
          </Alert>
        </List.Item>
      ))}
    </List>
  );
}

import { Button } from '@mantine/core';
import type { AuditAction, AuditArea } from '@steward/contract/audit/catalog';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '#platform/page/icon.tsx';

interface HistoryLinkProps {
  /** Whole rooms or single actions of the audit log; none of them means all. */
  actions?: readonly (AuditAction | AuditArea)[];
  /** Id of the one thing whose changes are listed. */
  target?: string;
  children?: ReactNode;
}

/** Opens the audit log, filtered to the changes that were made on this screen. Goes into a page's `actions`. */
export function HistoryLink({ actions = [], target, children = 'History' }: HistoryLinkProps) {
  const search = {
    ...(actions.length > 0 && { action: actions.join(',') }),
    ...(target !== undefined && { target }),
  };
  return (
    <Button
      renderRoot={(props) => <Link to="/dashboard/audit_log" search={search} {...props} />}
      variant="subtle"
      color="gray"
      leftSection={<Icon name="clock" size={16} />}
      title="View changes in the audit log"
    >
      {children}
    </Button>
  );
}

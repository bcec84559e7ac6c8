import { Box, Button } from '@mantine/core';
import type { AuditAction, AuditArea } from '@steward/contract/audit/catalog';
import { Link } from '@tanstack/react-router';
import { Icon } from '#platform/page/icon.tsx';

interface HistoryLinkProps {
  /** Whole rooms or single actions of the audit log; none of them means all. */
  actions?: readonly (AuditAction | AuditArea)[];
  /** Id of the one thing whose changes are listed. */
  target?: string;
  children?: string;
}

/** Opens the audit log filtered to the changes made on this screen, in a page's `actions`. On a phone it is an icon. */
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
      px={{ base: 14, sm: 18 }}
      mih={{ base: 44, sm: 36 }}
      styles={{ section: { margin: 0 } }}
      aria-label={children}
      leftSection={<Icon name="clock" size={16} />}
      title="View changes in the audit log"
    >
      <Box component="span" ms={8} visibleFrom="sm">
        {children}
      </Box>
    </Button>
  );
}

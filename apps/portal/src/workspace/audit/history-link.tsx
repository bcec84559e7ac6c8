import type { AuditAction, AuditArea } from '@steward/contract/audit/catalog';
import { Link } from '@tanstack/react-router';
import { HeaderLink } from '#platform/page/header-link.tsx';

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
    <HeaderLink
      label={children}
      icon="clock"
      title="View changes in the audit log"
      renderRoot={(props) => <Link to="/dashboard/audit_log" search={search} {...props} />}
    />
  );
}

import type { AuditAction, AuditArea } from '@steward/contract/audit/catalog';
import { Link } from '@tanstack/react-router';
import { HeaderLink } from '#platform/page/header-link.tsx';

interface HistoryLinkProps {
  /** Whole features or single actions of the audit log; empty means all. */
  actions?: readonly (AuditAction | AuditArea)[];
  /** Only changes of the record with this id are listed. */
  target?: string;
  children?: string;
}

/** Opens the audit log with the changes made on this screen. On a phone the link is an icon. */
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

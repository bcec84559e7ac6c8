import { Group } from '@mantine/core';
import type { FailedInvitation } from '@steward/contract/users/invitations';
import { useState } from 'react';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Icon } from '#platform/page/icon.tsx';

/** The call returns at most this many invitations. */
const MANY = 100;

interface FailedNoticeProps {
  failed: readonly FailedInvitation[] | undefined;
  /** Set once the rows below are shown. */
  isListed: boolean;
  onShow: () => void;
}

/** The notice appears with the first rows or not at all, and then stays, because appearing or disappearing later would move the rows. */
export function FailedNotice({ failed, isListed, onShow }: FailedNoticeProps) {
  const [hasAnnounced, setHasAnnounced] = useState<boolean>();
  const count = failed?.length ?? 0;
  if (isListed && hasAnnounced === undefined) setHasAnnounced(count > 0);
  if (!hasAnnounced) return null;
  return (
    <Group
      gap={10}
      mih={46}
      mb={-8}
      px={12}
      py={8}
      bdrs={8}
      {...(count === 0
        ? { bg: 'var(--surface-hover)', c: 'dimmed' }
        : { bg: 'var(--warning-soft)', c: 'var(--warning)' })}
    >
      <Icon name={count === 0 ? 'check' : 'mail'} size={16} />
      <span role="status">{getText(count)}</span>
      {count > 0 && (
        <RowButton aria-label="Show undelivered invitations" onClick={onShow}>
          Show
        </RowButton>
      )}
    </Group>
  );
}

function getText(count: number): string {
  if (count === 0) return 'All invitations have been delivered.';
  if (count === 1) return "1 invitation couldn't be delivered.";
  return `${count >= MANY ? `At least ${MANY}` : count} invitations couldn't be delivered.`;
}

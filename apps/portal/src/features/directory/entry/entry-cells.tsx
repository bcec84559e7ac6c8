import type { Entry } from '@steward/contract/directory';
import type { ReactNode } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import { SkeletonBar } from '#platform/tables/data-table.tsx';
import { UserAvatar } from '#workspace/users/user-avatar.tsx';
import classes from './entry-cells.module.css';
import { formatPhoneNumber, getMailHref, getNumberHref } from './phone-number.ts';

/** Names are user input: they are isolated from the surrounding text direction and cut to one line. */
export function NameCell({ entry }: { entry: Entry }) {
  return (
    <div className={classes.person}>
      <UserAvatar user={toAvatarUser(entry)} size={32} />
      <bdi className={classes.name} title={entry.name}>
        {entry.name}
      </bdi>
    </div>
  );
}

/** Members of the team have a picture; other entries show initials. */
function toAvatarUser({ name, user_id, last_picture_update }: Entry) {
  const words = name.split(/\s+/u);
  return {
    id: user_id,
    first_name: words[0] ?? '',
    last_name: words.length > 1 ? (words.at(-1) ?? '') : '',
    email: '',
    last_picture_update: user_id === '' ? 0 : last_picture_update,
  };
}

export function NumberCell({ number, scheme }: { number: string; scheme: 'tel' | 'sms' }) {
  const shown = formatPhoneNumber(number);
  return <Text text={shown} href={getNumberHref(scheme, number)} />;
}

export function EmailCell({ email }: { email: string }) {
  return <Text text={email} href={getMailHref(email)} />;
}

/** The full text is shown on hover. */
function Text({ text, href }: { text: string; href: string | undefined }): ReactNode {
  if (text === '') return <None />;
  const shown = <bdi>{text}</bdi>;
  if (href === undefined) {
    return (
      <span className={classes.text} title={text}>
        {shown}
      </span>
    );
  }
  return (
    <a className={classes.text} title={text} href={href}>
      {shown}
    </a>
  );
}

function None() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className={hidden.unseen}>none</span>
    </>
  );
}

export function NameSkeleton() {
  return (
    <div className={classes.person}>
      <SkeletonBar width="36px" height="36px" isRound />
      <SkeletonBar width="9rem" />
    </div>
  );
}

export type EntryAction = 'edit' | 'delete';

interface EntryActionsProps {
  entry: Entry;
  onAction: (action: EntryAction, entry: Entry) => void;
}

// Many rows are drawn while the list scrolls: plain buttons with a plain title cost the least.
export function EntryActions({ entry, onAction }: EntryActionsProps) {
  return (
    <span className={classes.actions}>
      <button
        type="button"
        className={classes.action}
        aria-label={`Edit ${entry.name}`}
        title="Edit"
        onClick={() => onAction('edit', entry)}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        className={classes.action}
        aria-label={`Delete ${entry.name}`}
        title="Delete"
        onClick={() => onAction('delete', entry)}
      >
        <Icon name="trash" />
      </button>
    </span>
  );
}

import type { ListedUser, User } from '@steward/contract/users';
import { type AccountKind, accountKind } from '@steward/contract/users/roles';
import { StateBadge, type Tone } from '#platform/feedback/state-badge.tsx';
import { SkeletonBar } from '#platform/tables/data-table.tsx';
import { fullName } from '#workspace/people/initials.ts';
import { PersonAvatar } from '#workspace/people/person-avatar.tsx';
import classes from './user-cells.module.css';

/** Avatar, full name and email. Names are untrusted text: isolated, and cut to one line. */
export function NameCell({ person, isSelf }: { person: User; isSelf: boolean }) {
  const name = fullName(person);
  return (
    <div className={classes.person} data-off={person.delete_at > 0 || undefined}>
      <PersonAvatar person={person} size={32} />
      <div className={classes.words}>
        <div className={classes.line}>
          <bdi className={classes.name} title={name}>
            {name}
          </bdi>
          {isSelf && <StateBadge tone="quiet" word="You" />}
        </div>
        <bdi className={classes.email} title={person.email}>
          {name === person.email ? 'No name yet' : person.email}
        </bdi>
      </div>
    </div>
  );
}

const TONES: Partial<Record<AccountKind, Tone>> = {
  'Team Owner': 'active',
  'Team Admin': 'info',
  'Pending Invitee': 'warning',
  Zendesk: 'success',
};

/** The account kind, whether the person is deactivated, and whether their invitation could be sent. */
export function KindCell({ person }: { person: ListedUser }) {
  const kind = accountKind(person);
  return (
    <span className={classes.badges}>
      <StateBadge tone={TONES[kind] ?? 'quiet'} word={kind} />
      {person.delete_at > 0 && <StateBadge tone="undone" word="Deactivated" />}
      {person.invitation === 'limited' && <StateBadge tone="warning" word="Not sent: limit reached" />}
    </span>
  );
}

export function NameSkeleton() {
  return (
    <div className={classes.person}>
      <span className={classes.blank} />
      <div className={classes.words}>
        <SkeletonBar width="9rem" />
        <SkeletonBar width="13rem" height="0.625rem" />
      </div>
    </div>
  );
}

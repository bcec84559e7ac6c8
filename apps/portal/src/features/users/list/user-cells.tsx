import type { User } from '@steward/contract/users';
import { accountKind } from '@steward/contract/users/roles';
import { SkeletonBar } from '#platform/tables/data-table.tsx';
import { fullName } from '#workspace/people/initials.ts';
import { PersonAvatar } from '#workspace/people/person-avatar.tsx';
import classes from './user-cells.module.css';

/** Avatar, full name, email. Names are other people's text: isolated, cut to one line, never markup. */
export function NameCell({ person, isSelf }: { person: User; isSelf: boolean }) {
  const name = fullName(person);
  return (
    <div className={classes.person} data-off={person.delete_at > 0 || undefined}>
      <PersonAvatar person={person} size={36} />
      <div className={classes.words}>
        <div className={classes.line}>
          <bdi className={classes.name} title={name}>
            {name}
          </bdi>
          {isSelf && <span className={classes.badge}>You</span>}
        </div>
        <bdi className={classes.email} title={person.email}>
          {name === person.email ? 'No name yet' : person.email}
        </bdi>
      </div>
    </div>
  );
}

/** Derived account kind, and in a word whether the person is deactivated (spec §3). */
export function KindCell({ person }: { person: User }) {
  const kind = accountKind(person);
  return (
    <span className={classes.badges}>
      <span className={classes.badge} data-kind={kind}>
        {kind}
      </span>
      {person.delete_at > 0 && (
        <span className={classes.badge} data-kind="Deactivated">
          Deactivated
        </span>
      )}
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

import type { User } from '@steward/contract/users';
import { useState } from 'react';
import { getInitials } from './initials.ts';
import classes from './person-avatar.module.css';

type AvatarPerson = Pick<User, 'id' | 'first_name' | 'last_name' | 'email' | 'last_picture_update'>;

/** Picture of a person, or their initials. Hidden from screen readers, because the name is always next to it. */
export function PersonAvatar({ person, size = 32 }: { person: AvatarPerson; size?: number }) {
  const [isBroken, setBroken] = useState(false);
  const hasPicture = person.last_picture_update > 0 && !isBroken;
  return (
    <span className={classes.avatar} style={{ width: size, height: size, fontSize: size * 0.38 }} aria-hidden="true">
      {hasPicture ? (
        <img
          className={classes.picture}
          src={`/api/v4/users/${person.id}/image?_=${person.last_picture_update}`}
          alt=""
          loading="lazy"
          onError={() => setBroken(true)}
        />
      ) : (
        getInitials(person)
      )}
    </span>
  );
}

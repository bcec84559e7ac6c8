import type { User } from '@steward/contract/users';
import { getHue, getInitials } from '@steward/contract/users/names';
import { useState } from 'react';
import classes from './users.module.css';

type AvatarUser = Pick<User, 'id' | 'first_name' | 'last_name' | 'email' | 'last_picture_update'> &
  Partial<Pick<User, 'create_at'>>;

/** Shows the picture or the initials. Screen readers skip it, because the name is always next to it. */
export function UserAvatar({ user, size = 32 }: { user: AvatarUser; size?: number }) {
  const [isBroken, setBroken] = useState(false);
  const { id, last_picture_update: updated, create_at } = user;
  // If the account never had a picture, the server would draw the same initials, with a request for each row of a list.
  const isDrawn = create_at !== undefined && updated <= create_at;
  const hasPicture = updated > 0 && !isBroken && !isDrawn;
  const color = isDrawn ? { background: `hsl(${getHue(id)} 42% 33%)`, color: '#fff' } : {};
  return (
    <span
      className={classes.avatar}
      style={{ width: size, height: size, fontSize: size * 0.38, lineHeight: `${size}px`, ...color }}
      aria-hidden="true"
    >
      {hasPicture ? (
        <img
          className={classes.picture}
          src={`/api/v4/users/${id}/image?_=${updated}`}
          alt=""
          loading="lazy"
          onError={() => setBroken(true)}
        />
      ) : (
        getInitials(user)
      )}
    </span>
  );
}

import type { User } from '@steward/contract/users';
import { fullName } from '#workspace/people/initials.ts';

/** Who somebody is, as far as it takes to name them. */
export type NamedPerson = Pick<User, 'first_name' | 'last_name' | 'email'>;

/** Somebody's name and address, for a dialog about them. */
export function Named({ person }: { person: NamedPerson }) {
  const name = fullName(person);
  return (
    <strong>
      <bdi>{name}</bdi>
      {name !== person.email && (
        <>
          {' '}
          <span>
            (<bdi>{person.email}</bdi>)
          </span>
        </>
      )}
    </strong>
  );
}

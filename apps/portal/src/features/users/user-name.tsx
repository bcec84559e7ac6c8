import { Box } from '@mantine/core';
import type { User } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';

export type NamedUser = Pick<User, 'first_name' | 'last_name' | 'email'>;

export function Named({ user }: { user: NamedUser }) {
  const name = fullName(user);
  return (
    <Box component="strong" c="var(--mantine-color-text)" fw={500}>
      <bdi>{name}</bdi>
      {name !== user.email && (
        <>
          {' '}
          <span>
            (<bdi>{user.email}</bdi>)
          </span>
        </>
      )}
    </Box>
  );
}

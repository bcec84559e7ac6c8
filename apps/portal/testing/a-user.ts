import type { User } from '@steward/contract/users';

/** A Team User, unless the fields say otherwise. */
export const aUser = (fields: Partial<User> = {}): User => ({
  id: 'a'.repeat(26),
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.test',
  status: 'offline',
  type: 2,
  roles: ['team_user'],
  account_type: 2,
  apps: {},
  last_picture_update: 0,
  create_at: 1,
  update_at: 1,
  delete_at: 0,
  ...fields,
});

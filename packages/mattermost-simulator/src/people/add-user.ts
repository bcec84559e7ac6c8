import type { User } from '../model.ts';
import type { World } from '../world.ts';

export function addUser(world: World, more: Partial<User> & { username: string }): User {
  const now = world.now();
  const user: User = {
    id: world.id(),
    create_at: now,
    update_at: now,
    delete_at: 0,
    email: `${more.username}@example.test`,
    nickname: '',
    first_name: '',
    last_name: '',
    position: '',
    roles: 'system_user',
    is_bot: false,
    password: '',
    last_password_update: now,
    last_login: 0,
    last_activity_at: 0,
    ...more,
  };
  world.users.set(user.id, user);
  return user;
}

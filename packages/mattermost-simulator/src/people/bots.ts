import { forbid, json, refuse } from '../answer.ts';
import { asks, type Call, fields, found, isAdmin, pageOf, type Route, text } from '../call.ts';
import type { Bot } from '../model.ts';
import { isOn } from '../settings.ts';
import type { World } from '../world.ts';
import { addUser } from './add-user.ts';
import { endSessions } from './sessions.ts';

export const BOT_ROUTES: Route[] = [
  { call: 'POST bots', by: 'user', run: createBot },
  {
    call: 'GET bots',
    by: 'user',
    run: ({ world, caller, query }) => {
      if (!isAdmin(caller)) forbid();
      const bots = [...world.bots.values()].filter((bot) => asks(query, 'include_deleted') || bot.delete_at === 0);
      return json(200, pageOf(bots, query));
    },
  },
  { call: 'POST bots/:user/enable', by: 'admin', run: (call) => json(200, switchBot(call.world, bot(call), true)) },
  { call: 'POST bots/:user/disable', by: 'admin', run: (call) => json(200, switchBot(call.world, bot(call), false)) },
];

const bot = ({ world, params }: Call) => found(world.bots, params.user, 'store.sql_bot.get.missing.app_error');

function createBot(call: Call) {
  const { world, caller } = call;
  const { username, display_name, description } = fields(call);
  if (caller.is_bot || !isAdmin(caller)) forbid();
  if (!isOn(world.settings, 'ServiceSettings', 'EnableBotAccountCreation')) refuse(403, 'api.bot.create_disabled');
  return json(
    201,
    addBot(world, caller.id, {
      username: text(username),
      display_name: text(display_name),
      description: text(description),
    }),
  );
}

export function addBot(world: World, owner: string, more: Partial<Bot> & { username: string }): Bot {
  const user = addUser(world, { username: more.username, email: `${more.username}@localhost`, is_bot: true });
  const times = { create_at: user.create_at, update_at: user.create_at, delete_at: 0 };
  const row = { user_id: user.id, display_name: '', description: '', owner_id: owner, ...times, ...more };
  world.bots.set(user.id, row);
  return row;
}

export function switchBot(world: World, row: Bot, enabled: boolean): Bot {
  const now = world.now();
  row.update_at = now;
  row.delete_at = enabled ? 0 : now;
  const user = world.users.get(row.user_id);
  if (user) user.delete_at = row.delete_at;
  if (!enabled) endSessions(world, row.user_id);
  return row;
}

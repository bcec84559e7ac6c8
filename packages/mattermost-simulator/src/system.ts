import { done, json, refuse } from './answer.ts';
import { asks, fields, isAdmin, pageOf, type Route, text } from './call.ts';
import { BUILD, isOn, type Section, VERSION, withoutSecrets } from './settings.ts';
import type { World } from './world.ts';

export const SYSTEM_ROUTES: Route[] = [
  { call: 'GET system/ping', by: 'anybody', run: ({ query }) => json(200, ping(asks(query, 'get_server_status'))) },
  { call: 'GET config/client', by: 'anybody', run: ({ world }) => json(200, clientConfig(world)) },
  {
    call: 'GET license/client',
    by: 'anybody',
    run: ({ world }) => json(200, { IsLicensed: String(world.isLicensed) }),
  },
  { call: 'GET config', by: 'admin', run: ({ world }) => json(200, withoutSecrets(world.settings)) },
  {
    call: 'PUT config/patch',
    by: 'admin',
    run: (call) => {
      const { settings } = call.world;
      for (const [name, section] of Object.entries(fields(call))) {
        settings[name] = { ...settings[name], ...(section as Section) };
      }
      return json(200, withoutSecrets(settings));
    },
  },
  {
    call: 'GET limits/server',
    by: 'user',
    run: ({ world, caller }) => {
      const active = [...world.users.values()].filter((user) => !user.is_bot && user.delete_at === 0).length;
      return json(200, isAdmin(caller) ? { ...world.limits, activeUserCount: active } : {});
    },
  },
  {
    call: 'GET usage/posts',
    by: 'user',
    run: ({ world }) => json(200, { count: Math.floor(world.posts.byId.size / 1_000) * 1_000 }),
  },
  { call: 'GET usage/storage', by: 'user', run: () => json(200, { bytes: 0 }) },
  {
    call: 'POST caches/invalidate',
    by: 'admin',
    run: ({ world }) => {
      world.fileCache.clear();
      return done();
    },
  },
  { call: 'GET audits', by: 'admin', run: ({ world, query }) => json(200, pageOf(world.audits, query)) },
  {
    call: 'POST jobs',
    by: 'admin',
    run: (call) => {
      if (text(fields(call).type) === 'data_retention') refuse(400, 'model.job.is_valid.type.app_error');
      return json(201, { id: call.world.id(), type: fields(call).type, status: 'pending' });
    },
  },
  { call: 'GET data_retention/policy', by: 'user', run: ({ world }) => json(200, retentionPolicy(world)) },
  {
    call: 'GET data_retention/policies',
    by: 'admin',
    run: ({ world }) => {
      retentionPolicy(world);
      return json(200, { policies: [], total_count: 0 });
    },
  },
];

function ping(withStatus: boolean) {
  const names = ['AndroidLatestVersion', 'AndroidMinVersion', 'IosLatestVersion', 'IosMinVersion'];
  return {
    ActiveSearchBackend: 'database',
    ...Object.fromEntries(names.map((name) => [name, ''])),
    ...(withStatus && { database_status: 'OK', filestore_status: 'OK' }),
    status: 'OK',
  };
}

function clientConfig(world: World) {
  return {
    Version: world.version ?? VERSION,
    BuildNumber: BUILD,
    BuildDate: '2025-08-07',
    BuildEnterpriseReady: String(world.isLicensed),
    EnableUserCreation: 'true',
    SiteURL: world.settings.ServiceSettings?.SiteURL,
    NoAccounts: String(world.users.size === 0),
  };
}

/** The server's own deletion needs a license. Without one, the configuration accepts its settings, and nothing happens. */
function retentionPolicy({ isLicensed, settings, now }: World) {
  if (!isLicensed) return refuse(501, 'ent.data_retention.generic.license.error');
  const days = Number(settings.DataRetentionSettings?.MessageRetentionDays);
  return {
    message_deletion_enabled: isOn(settings, 'DataRetentionSettings', 'EnableMessageDeletion'),
    file_deletion_enabled: isOn(settings, 'DataRetentionSettings', 'EnableFileDeletion'),
    message_retention_cutoff: now() - days * 86_400_000,
    file_retention_cutoff: now() - days * 86_400_000,
  };
}

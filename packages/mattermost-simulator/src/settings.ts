import { createHash } from 'node:crypto';

export type Section = Record<string, string | number | boolean>;
export type Settings = Record<string, Section>;

const SECRET = '********************************';
const VERSION = '10.12.0';
const BUILD = '10.12.0-local';

/** The defaults of a fresh server. It has 45 sections; these are the ones that change how calls behave, or have secrets. */
export function createSettings(): Settings {
  return {
    ServiceSettings: {
      SiteURL: 'http://chat.example',
      EnableAPIPostDeletion: false,
      EnableAPITeamDeletion: false,
      EnableAPIUserDeletion: false,
      EnableAPIChannelDeletion: false,
      EnableUserAccessTokens: false,
      EnableBotAccountCreation: false,
      DisableBotsWhenOwnerIsDeactivated: true,
      SessionLengthWebInHours: 4320,
      SessionCacheInMinutes: 10,
      PostEditTimeLimit: -1,
    },
    TeamSettings: { ExperimentalViewArchivedChannels: true, EnableOpenServer: false, MaxUsersPerTeam: 50 },
    SqlSettings: { DriverName: 'postgres', DataSource: 'postgres://mattermost:secret@localhost/mattermost' },
    DataRetentionSettings: {
      EnableMessageDeletion: false,
      MessageRetentionDays: 365,
      MessageRetentionHours: 0,
      EnableFileDeletion: false,
    },
    RateLimitSettings: { Enable: false, PerSec: 10, MaxBurst: 100, VaryByRemoteAddr: true },
    PrivacySettings: { ShowEmailAddress: true, ShowFullName: true },
    FileSettings: { DriverName: 'local', MaxFileSize: 104_857_600, PublicLinkSalt: 'public link salt' },
    ExperimentalAuditSettings: { FileEnabled: false, FileName: 'audit.log' },
  };
}

const SECRETS = new Set(['DataSource', 'PublicLinkSalt']);

export function withoutSecrets(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).map(([name, section]) => [
      name,
      Object.fromEntries(Object.entries(section).map(([key, value]) => [key, SECRETS.has(key) ? SECRET : value])),
    ]),
  );
}

export function isOn(settings: Settings, section: string, name: string): boolean {
  return settings[section]?.[name] === true;
}

/** The header `x-version-id`. Its hash changes with each setting. */
export function versionId(settings: Settings, version: string | undefined, isLicensed: boolean): string {
  const hash = createHash('md5').update(JSON.stringify(settings)).digest('hex');
  return `${version ?? VERSION}.${BUILD}.${hash}.${isLicensed}`;
}

export { BUILD, VERSION };

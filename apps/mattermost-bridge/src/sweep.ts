// Reads what the server has: people, teams, channels, and messages without their texts. Always by `page`: `before` loses rows.
import type { Channel, Person, Row } from './answers.ts';
import type { CallName, Mattermost } from './mattermost.client.ts';

/** The most rows of one page, and of one answer to `since`. */
const PAGE_ROWS = 200;
const CHANGED_ROWS = 1_000;

/** What the operator connected: teams, and whether direct and group messages belong to one of them. */
export interface Scope {
  teams: ReadonlySet<string>;
  directMessages: boolean;
}

export function isInScope({ teams, directMessages }: Scope, channel: Channel): boolean {
  return channel.team_id === '' ? directMessages : teams.has(channel.team_id);
}

type Pages = Extract<
  CallName,
  | 'listPeople'
  | 'listTeams'
  | 'listTeamMembers'
  | 'listChannels'
  | 'listPrivateChannels'
  | 'listChannelMembers'
  | 'listRows'
  | 'listBots'
  | 'listTokens'
>;
type Entry<N extends Pages> = Awaited<ReturnType<typeof readPage<N>>>[number];

const readPage = <N extends Pages>(
  mattermost: Mattermost,
  name: N,
  args: { ids?: Record<string, string>; page: number },
) => mattermost.call(name, { ...(args.ids && { ids: args.ids }), query: { page: args.page } });

/** Yields the pages of a list. A short page is the last one. */
export async function* listPages<N extends Pages>(
  mattermost: Mattermost,
  name: N,
  ids?: Record<string, string>,
): AsyncGenerator<Entry<N>[]> {
  for (let page = 0; ; page += 1) {
    const entries: Entry<N>[] = await readPage(mattermost, name, { ...(ids && { ids }), page });
    if (entries.length > 0) yield entries;
    if (entries.length < PAGE_ROWS) return;
  }
}

/** All entries of a list that is short enough for that. */
export async function listAll<N extends Pages>(
  mattermost: Mattermost,
  name: N,
  ids?: Record<string, string>,
): Promise<Entry<N>[]> {
  const all: Entry<N>[] = [];
  for await (const entries of listPages(mattermost, name, ids)) all.push(...entries);
  return all;
}

/** Yields every row of a channel, soft-deleted ones and versions too, newest first. */
export const sweepChannel = (mattermost: Mattermost, channel: string): AsyncGenerator<Row[]> =>
  listPages(mattermost, 'listRows', { channel });

/** Yields the channels in scope. Direct and group messages are only in the lists of their people. */
export async function* listChannels(mattermost: Mattermost, scope: Scope): AsyncGenerator<Channel> {
  for await (const page of listPages(mattermost, 'listChannels')) {
    yield* page.filter((channel) => channel.team_id !== '' && isInScope(scope, channel));
  }
  if (!scope.directMessages) return;
  const seen = new Set<string>();
  for await (const people of listPages(mattermost, 'listPeople')) {
    for (const person of people) {
      for (const channel of await listOfPerson(mattermost, person)) {
        if (channel.team_id !== '' || seen.has(channel.id)) continue;
        seen.add(channel.id);
        yield channel;
      }
    }
  }
}

/** For a person without channels, the answer is 404. */
const listOfPerson = async (mattermost: Mattermost, { id }: Person) =>
  (await mattermost.find('listChannelsOfPerson', { ids: { user: id } })) ?? [];

/**
 * Lists what changed in a channel after a time of the server. An answer that may be cut, because nothing says so, is replaced by a
 * full sweep. Imported and backdated rows are only in the latter.
 */
export async function listChanges(mattermost: Mattermost, channel: string, since: number): Promise<Row[]> {
  const changed = await mattermost.call('listChangedRows', { ids: { channel }, query: { since } });
  if (changed.length < CHANGED_ROWS) return changed;
  const newer: Row[] = [];
  for await (const rows of sweepChannel(mattermost, channel))
    newer.push(...rows.filter((row) => row.update_at > since));
  return newer;
}

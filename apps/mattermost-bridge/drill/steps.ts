// The steps that the points of the drill share: they write, delete and compare.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Channel, Id, type Row } from '../src/answers.ts';
import { deleteThreads, type Outcome, type Report } from '../src/deletion.ts';
import { CallError, type Mattermost } from '../src/mattermost.client.ts';
import { isChange, watch } from './server.ts';
import { type Helper, OLD_MS, permitOld, type Stage, splitThreads, sweep } from './stage.ts';

class Failed extends Error {}
export class NotApplicable extends Error {}

export function expect(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Failed(reason);
}

export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const [is, should] = [actual, expected].map((value) => JSON.stringify(value));
  expect(isDeepStrictEqual(actual, expected), `${what}: ${is} instead of ${should}`);
}

/** Returns the person, or ends the point. */
export function requireHelper({ helper }: Stage): Helper {
  if (typeof helper === 'string') throw new NotApplicable(`it needs an account of a person, and ${helper}`);
  return helper;
}

interface Message {
  message?: string;
  root_id?: string | undefined;
  file_ids?: string[];
  /** When it was written, before the time of the server. */
  age?: number;
}

/** Writes a message as the bot. A system admin may date it back. */
export async function write(
  { mattermost, talk }: Stage,
  { age = OLD_MS, ...more }: Message = {},
  channel = talk,
): Promise<Row> {
  const create_at = mattermost.time() - age;
  const body = { channel_id: channel.id, message: 'old words', ...more, ...(age > 0 && { create_at }) };
  return mattermost.call('createPost', { body });
}

/** Writes a young message as the person, or as the bot if there is none. */
export async function writeNow(stage: Stage, more: Message): Promise<string> {
  const { server, helper, talk } = stage;
  if (typeof helper === 'string') return (await write(stage, { ...more, age: 0 })).id;
  const body = { channel_id: talk.id, message: 'young words', ...more };
  const said = await server.send('POST posts', { body, as: helper.session });
  expect(said.status === 201, `a reply of the person is answered ${said.status}`);
  const { id } = z.object({ id: Id }).parse(said.body);
  server.own.add(id);
  return id;
}

export const edit = ({ mattermost }: Stage, post: string, body: object) =>
  mattermost.call('changePost', { ids: { post }, body });
export const softDelete = ({ mattermost }: Stage, post: string) => mattermost.call('softDelete', { ids: { post } });

/** Older versions keep the files of a message as they are. */
export async function changeFiles(stage: Stage, post: string, file_ids: string[]): Promise<void> {
  await edit(stage, post, { file_ids });
  const now = await stage.mattermost.call('readRow', { ids: { post } });
  if (!isDeepStrictEqual([...now.file_ids].sort(), [...file_ids].sort())) {
    throw new NotApplicable('this version of the server changes no files by an edit');
  }
}

export async function upload({ mattermost, talk }: Stage, name: string): Promise<string> {
  const form = new FormData();
  form.set('channel_id', talk.id);
  form.append('files', new Blob(['A file of the drill']), name);
  const [file] = (await mattermost.call('upload', { body: form })).file_infos;
  return file?.id ?? '';
}

/** Deletes everything that is old in a channel, by as many permits as it takes. */
export async function deleteOld({ mattermost, scope, talk }: Stage): Promise<Report> {
  const permit = await permitOld(mattermost, talk);
  const report: Report = { outcomes: new Map(), versions: new Map(), orphans: [], isComplete: true };
  for (const rows of splitThreads(permit.rows as Row[])) {
    const { outcomes, orphans } = await deleteThreads(mattermost, { ...permit, rows }, scope);
    for (const [id, outcome] of outcomes) report.outcomes.set(id, outcome);
    report.orphans.push(...orphans);
  }
  return report;
}

export function tally(outcomes: ReadonlyMap<string, Outcome>): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(outcomes.values(), (outcome) => outcome)].map(([key, all]) => [key, all.length]),
  );
}

/** Messages of people and of the bot, without those about joining. */
export const listMessages = async ({ mattermost }: Stage, channel: Channel) =>
  (await sweep(mattermost, channel)).filter((row) => row.type === '');

/** Requires that everything is gone: by its outcomes, by a sweep, and by a reading of each row. */
export async function expectGone(stage: Stage, { outcomes }: Report, rows: number): Promise<void> {
  expectSame('outcomes', tally(outcomes), { gone: Math.max(rows, outcomes.size) });
  const left = await listMessages(stage, stage.talk);
  expectSame('rows that are left', left.length, 0);
  for (const post of outcomes.keys()) {
    const row = await stage.mattermost.find('readRow', { ids: { post } });
    expect(row === undefined, 'a row that counts as gone can still be read');
  }
}

export async function expectUnreachable({ mattermost, server }: Stage, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const info = await mattermost.find('readFile', { ids: { file } });
    expect(info === undefined, 'a file can still be read');
    const { status } = await server.send(`GET files/${file}`);
    expect(status === 404, `a file can still be fetched: ${status}`);
  }
}
/** Returns a client that sends nothing that changes something, and the names of what it should have sent. */
export function readOnly(mattermost: Mattermost): { client: Mattermost; attempts: string[] } {
  const attempts: string[] = [];
  const client = watch(mattermost, {
    before(name) {
      if (!isChange(name)) return;
      attempts.push(name);
      throw new CallError(name, 0, { reason: 'the drill sends no changes here' });
    },
  });
  return { client, attempts };
}

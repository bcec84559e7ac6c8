import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { createBatchQueue, workInTurns } from '#platform/jobs/work-in-turns.ts';
import type { EmailText } from '#platform/mail/email-template.ts';
import { queueMails } from '#platform/mail/mail.ts';
import { listRecipients, type Recipient } from '#workspace/users/managers.store.ts';
import { addNotice, countQueued, endNotice, lockNextRecipients, type NoticeKey } from './notices.store.ts';
import type { MailParts } from './notify-managers.ts';

/** Queues the emails of one notice for a limited time, and sends itself again while there are more. Retried for a day, as emails are. */
const sendNotice = defineJob({
  name: 'notices.send',
  payload: z.object({ team_id: z.string(), id: z.string() }),
  retries: 17,
  retrySeconds: 15,
  retryMaxSeconds: 3 * 3600,
});

const PURPOSE = 'notice';
/** Emails of one transaction, and the most that a change queues itself. */
const BATCH = 100;
/** A job pauses after each batch for this many times as long as the batch took, so that other calls keep their speed. */
const PAUSE = 1;

interface TeamEmail extends EmailText {
  kind: string;
  teamId: string;
}

/**
 * Emails members of a team, within the transaction of the change. If they are many, only their ids are stored there,
 * and a job queues the emails: the change doesn't wait for thousands of them, and members who are demoted or removed
 * next still get theirs.
 */
export async function emailUsers(
  trx: Trx,
  parts: MailParts,
  { recipients, email }: { recipients: readonly Recipient[]; email: TeamEmail },
): Promise<void> {
  if (recipients.length <= BATCH) return queueBatch(trx, parts, { recipients, email });
  const { kind, teamId, ...text } = email;
  const sealed = parts.secrets.seal(PURPOSE, JSON.stringify(text));
  const { id } = await addNotice(trx, teamId, { kind, sealed, recipients: recipients.map((user) => user.id) });
  await parts.jobs.send(trx, sendNotice, { team_id: teamId, id });
}

async function queueBatch(
  trx: Trx,
  parts: MailParts,
  { recipients, email }: { recipients: readonly Recipient[]; email: TeamEmail },
): Promise<void> {
  const { kind, teamId, ...text } = email;
  const mails = recipients.map((user) => ({ userId: user.id, mail: { ...text, to: user.email } }));
  await queueMails(trx, parts, { kind, teamId, mails });
}

export function createNoticeWorker(deps: Deps) {
  const queue = createBatchQueue();
  return defineWorker(sendNotice, (payload) => {
    const key = { teamId: payload.team_id, id: payload.id };
    return workInTurns(deps, { job: sendNotice, payload }, () =>
      queue.run({ key: key.teamId }, () => sendNextBatch(deps, key)),
    );
  });
}

async function sendNextBatch(deps: Deps, key: NoticeKey): Promise<boolean> {
  const start = performance.now();
  const isLast = await inTransaction(deps.db, (trx) => queueNextBatch(trx, deps, key));
  // Within the queue, so that several notices together pause as well.
  await pause(PAUSE * (performance.now() - start));
  return isLast;
}

/** One batch; true if there is nothing left to do. */
async function queueNextBatch(trx: Trx, deps: Deps, key: NoticeKey): Promise<boolean> {
  const next = await lockNextRecipients(trx, key, BATCH);
  if (!next) return true;
  const text = JSON.parse(deps.secrets.open(PURPOSE, next.sealed)) as EmailText;
  const recipients = await listRecipients(trx, next.recipients);
  await queueBatch(trx, deps, { recipients, email: { ...text, kind: next.kind, teamId: key.teamId } });
  if (next.isLast) await endNotice(trx, key);
  else await countQueued(trx, key, next.recipients.length);
  return next.isLast;
}

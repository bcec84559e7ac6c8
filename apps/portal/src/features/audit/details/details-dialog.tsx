import { Button } from '@mantine/core';
import type { AuditRecord } from '@steward/contract/audit';
import { type ReactNode, useState } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { productName } from '#platform/product/product.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { getActionText, getActor, getSource, getTarget } from '../text/audit-text.ts';
import { readDetails } from '../text/changes.ts';
import { ChangeTables } from './change-tables.tsx';
import classes from './details.module.css';
import { RestoreEntry } from './restore-entry.tsx';

interface DetailsDialogProps {
  teamId: string;
  record: AuditRecord;
  opened: boolean;
  /** Filters the log to this target. */
  onTarget: (target: string) => void;
  onClose: () => void;
}

/** Everything about one change: who, from where, and what it was before and after. */
export function DetailsDialog({ teamId, record, opened, onTarget, onClose }: DetailsDialogProps) {
  const { at, target, request_id, details, names, left_out } = record;
  const who = getActor(record, productName());
  const about = getTarget(record);
  return (
    <Dialog opened={opened} onClose={onClose} title={getActionText(record)} width={720}>
      <div className={classes.details}>
        <dl className={classes.facts}>
          <Fact term="When">
            <Timestamp at={at} />
          </Fact>
          <Fact term="Who" note={who.note}>
            <bdi>{who.name}</bdi>
          </Fact>
          <Fact term="Target" note={about.note}>
            <bdi>{about.name}</bdi>
          </Fact>
          <Fact term="Source">
            <bdi>{getSource(record)}</bdi>
          </Fact>
          <Fact term="Request">
            <code className={classes.id}>{request_id}</code>
          </Fact>
        </dl>
        <ChangeTables {...readDetails(details, names)} />
        {left_out > 0 && (
          <p className={classes.note}>{left_out.toLocaleString('en-US')} more items of this change aren't shown.</p>
        )}
        <Stored record={record} />
      </div>
      <DialogButtons>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
        <RestoreEntry teamId={teamId} record={record} onRestored={onClose} />
        {target !== '' && <Button onClick={() => onTarget(target)}>View all changes to this item</Button>}
      </DialogButtons>
    </Dialog>
  );
}

function Fact({ term, note = '', children }: { term: string; note?: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{term}</dt>
      <dd>
        {children}
        {note !== '' && <span className={classes.quiet}>{note}</span>}
      </dd>
    </div>
  );
}

/** The stored row, word for word, to copy. */
function Stored({ record }: { record: AuditRecord }) {
  const [status, setStatus] = useState('');
  const { at, actor, action, target, details, address, request_id } = record;
  const shown = {
    at: new Date(at).toISOString(),
    actor: actor?.id ?? null,
    action,
    target,
    address,
    request_id,
    details,
  };
  const text = JSON.stringify(shown, null, 2);
  const copy = async () => setStatus((await copyText(text)) ? 'Copied' : 'Your browser blocked copying.');
  return (
    <details className={classes.stored}>
      <summary>Raw data</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long content must be scrollable by keyboard */}
      <section className={classes.block} aria-label="Raw data" tabIndex={0}>
        {text}
      </section>
      <div className={classes.copy}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name={status === 'Copied' ? 'check' : 'copy'} size={14} />}
          onClick={() => void copy()}
        >
          Copy
        </Button>
        <span role="status">{status}</span>
      </div>
    </details>
  );
}

/** Browsers refuse on plain HTTP, and without the user's permission. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

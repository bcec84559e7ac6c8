import { Button } from '@mantine/core';
import type { AuditRecord } from '@steward/contract/audit';
import { type ReactNode, useState } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { productName } from '#platform/product/product.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { getActionText, getActor, getSource, getTarget } from '../log/audit-text.ts';
import { ChangeTables } from './change-tables.tsx';
import { readDetails } from './changes.ts';
import classes from './details.module.css';

interface DetailsDialogProps {
  record: AuditRecord;
  opened: boolean;
  /** Shows every change to this target. */
  onTarget: (target: string) => void;
  onClose: () => void;
}

/** All that is known of one change: who, where from, and what it was before and is since. */
export function DetailsDialog({ record, opened, onTarget, onClose }: DetailsDialogProps) {
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
          <Fact term="From where">
            <bdi>{getSource(record)}</bdi>
          </Fact>
          <Fact term="Request">
            <code className={classes.id}>{request_id}</code>
          </Fact>
        </dl>
        <ChangeTables {...readDetails(details, names)} />
        {left_out > 0 && (
          <p className={classes.note}>{left_out.toLocaleString('en-US')} more items of this change are not shown.</p>
        )}
        <Stored record={record} />
      </div>
      <DialogButtons>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
        {target !== '' && <Button onClick={() => onTarget(target)}>Show all changes to it</Button>}
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

/** What was written down, word for word, for whoever has to hand it on. */
function Stored({ record }: { record: AuditRecord }) {
  const [said, setSaid] = useState('');
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
  const copy = async () => setSaid((await copied(text)) ? 'Copied' : 'Not copied: the browser does not allow it.');
  return (
    <details className={classes.stored}>
      <summary>As it was written down</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is long is scrolled by the keyboard too */}
      <section className={classes.block} aria-label="As it was written down" tabIndex={0}>
        {text}
      </section>
      <div className={classes.copy}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name={said === 'Copied' ? 'check' : 'copy'} size={14} />}
          onClick={() => void copy()}
        >
          Copy
        </Button>
        <span role="status">{said}</span>
      </div>
    </details>
  );
}

/** Browsers refuse on plain http, and where the person does not allow it. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

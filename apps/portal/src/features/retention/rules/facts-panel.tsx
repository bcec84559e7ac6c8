import { Button } from '@mantine/core';
import type { KindRetention, RetentionRun, StoredRetention } from '@steward/contract/retention';
import type { ReactNode } from 'react';
import { Skeletons } from '#platform/page/page.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { formatKept, KIND_WORDS } from '../retention-text.ts';
import { formatBytes, formatCount, formatNumber } from '../runs/format.ts';
import { RunBadge } from '../runs/run-badge.tsx';
import classes from './facts-panel.module.css';

/** A part of the facts that comes by a call of its own. */
export interface Fetched<Data> {
  data: Data | undefined;
  failed: boolean;
  onRetry: () => void;
}

/** What the overview says about one kind. */
export interface Facts {
  zone: string;
  nextRunAt: number;
  ofKind: KindRetention;
}

interface FactsPanelProps {
  facts: Fetched<Facts>;
  stored: Fetched<StoredRetention>;
}

/** What a setting does and what there is of it; quiet, beside the form. */
export function FactsPanel({ facts, stored }: FactsPanelProps) {
  return (
    <div className={classes.panel}>
      <Late part={facts} what="What is kept now" height={21}>
        {({ ofKind: { kind, rule, cutoff }, zone }) =>
          // While a rule waits, its notice says already that everything is kept until then.
          rule.effective_at !== undefined && cutoff === null ? null : (
            <p className={classes.kept}>{formatKept(kind, rule, { cutoff, zone })}</p>
          )
        }
      </Late>
      <Late part={stored} what="What is stored" height={71}>
        {(data) => <StoredFacts stored={data} />}
      </Late>
      {facts.data !== undefined && <RunFacts facts={facts.data} />}
      {facts.data === undefined && !facts.failed && <Skeletons rows={1} height={45} />}
    </div>
  );
}

interface LateProps<Data> {
  part: Fetched<Data>;
  what: string;
  height: number;
  children: (data: Data) => ReactNode;
}

function Late<Data>({ part: { data, failed, onRetry }, what, height, children }: LateProps<Data>) {
  if (data !== undefined) return children(data);
  if (!failed) return <Skeletons rows={1} height={height} />;
  return (
    <p className={classes.quiet} role="alert">
      {what} could not be loaded.{' '}
      <Button size="compact-sm" variant="default" onClick={onRetry}>
        Retry
      </Button>
    </p>
  );
}

function StoredFacts({ stored: { kind, count, bytes, overdue, overdue_bytes, oldest } }: { stored: StoredRetention }) {
  const words = KIND_WORDS[kind];
  return (
    <dl className={classes.facts}>
      <Fact term="Stored now">{count === 0 ? 'Nothing' : `${formatCount(count, words)}, ${formatBytes(bytes)}`}</Fact>
      <Fact term="Oldest">{oldest === null ? '–' : <Timestamp at={oldest} />}</Fact>
      <Fact term="Overdue">
        {overdue === 0 ? 'Nothing' : `${formatNumber(overdue)}, ${formatBytes(overdue_bytes)}`}
      </Fact>
    </dl>
  );
}

function RunFacts({ facts: { ofKind, nextRunAt } }: { facts: Facts }) {
  const { cutoff, running, last_run } = ofKind;
  return (
    <dl className={classes.facts}>
      {running !== null && (
        <Fact term="Runs now">
          <RunResult run={running} />
        </Fact>
      )}
      <Fact term="Last run">{last_run === null ? 'Never' : <RunResult run={last_run} />}</Fact>
      <Fact term="Next run">{cutoff === null ? formatNoRun(ofKind) : <Timestamp at={nextRunAt} />}</Fact>
    </dl>
  );
}

function formatNoRun({ rule: { effective_at } }: KindRetention): string {
  return effective_at === undefined ? 'None: everything is kept' : 'Once the rule has begun';
}

/** A run in two lines: how it stands, what it deleted; when, and why if there is a reason. */
export function RunResult({ run: { state, deleted, started_at, ended_at, note } }: { run: RetentionRun }) {
  return (
    <span className={classes.run}>
      <span className={classes.line}>
        <RunBadge state={state} />
        <span>{formatNumber(deleted)} deleted</span>
      </span>
      <span className={classes.quiet}>
        <Timestamp at={ended_at === 0 ? started_at : ended_at} />
      </span>
      {note !== '' && <span className={classes.quiet}>{note}</span>}
    </span>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

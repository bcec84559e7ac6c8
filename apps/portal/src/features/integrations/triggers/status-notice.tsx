import type { Integration } from '@steward/contract/integrations';
import type { ReactNode } from 'react';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HealthBadge } from '../tiles/health-badge.tsx';
import classes from './triggers.module.css';
import { Warnings } from './warnings.tsx';

interface StatusNoticeProps {
  integration: Integration;
  domain: string | undefined;
  warnings: readonly string[];
}

/** The status of the connection: the last delivery, the last error, and warnings. */
export function StatusNotice({ integration, domain, warnings }: StatusNoticeProps) {
  const { name, enabled, health, last_delivery_at, last_error, last_error_at } = integration;
  if (!enabled && warnings.length === 0) return null;
  return (
    <section className={classes.standing} aria-label={`${name} status`}>
      {enabled && (
        <dl className={classes.facts}>
          <Fact term={domain === undefined || domain === '' ? name : `${domain}.zendesk.com`}>
            <HealthBadge health={health} />
          </Fact>
          <Fact term="Last delivery">
            {last_delivery_at === null ? 'None yet' : <Timestamp at={last_delivery_at} />}
          </Fact>
          {last_error_at !== null && (
            <Fact term="Last error">
              <Timestamp at={last_error_at} /> <span className={classes.reason}>{last_error}</span>
            </Fact>
          )}
        </dl>
      )}
      <Warnings warnings={warnings} />
    </section>
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

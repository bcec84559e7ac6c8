import type { Integration } from '@steward/contract/integrations';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import classes from '../integrations.module.css';
import { Warnings } from '../triggers/warnings.tsx';
import { HealthBadge } from './health-badge.tsx';

/** An integration. Choosing it leads to its credential form, or to its triggers once it is connected (spec §2). */
export function IntegrationTile({ integration }: { integration: Integration }) {
  const { id, code, name, enabled, health, warnings } = integration;
  const state = useId();
  const way = enabled
    ? ({ to: '/dashboard/triggers', state: { integrationId: id } } as const)
    : ({ to: '/dashboard/settings/$integrationId', params: { integrationId: id } } as const);
  return (
    <li className={classes.tile}>
      <div className={classes.head}>
        <span className={classes.mark}>
          <Icon name="plug" size={20} />
        </span>
        <h2 className={classes.name}>
          <Link {...way} className={classes.link} aria-describedby={state}>
            {name}
          </Link>
        </h2>
        <span id={state}>
          <HealthBadge health={health} />
        </span>
      </div>
      <Warnings warnings={warnings} />
      <dl className={classes.facts}>
        {enabled && <Deliveries integration={integration} />}
        <Fact name="Code">{code}</Fact>
        <Fact name="Id">
          <code className={classes.id}>{id}</code>
        </Fact>
        <Fact name="Enabled">{enabled ? 'Yes' : 'No'}</Fact>
      </dl>
      <p className={classes.next} aria-hidden="true">
        {enabled ? 'Triggers and deliveries' : 'Connect'}
        <Icon name="chevron" size={16} />
      </p>
    </li>
  );
}

function Deliveries({ integration: { last_delivery_at, last_error, last_error_at } }: { integration: Integration }) {
  const hasNewError = last_error_at !== null && last_error_at >= (last_delivery_at ?? 0);
  return (
    <>
      <Fact name="Last delivery">{last_delivery_at === null ? 'None yet' : <Timestamp at={last_delivery_at} />}</Fact>
      {last_error !== '' && (
        <Fact name="Last error">
          <span className={classes.error} data-news={hasNewError || undefined}>
            {last_error}
          </span>
          {last_error_at !== null && (
            <span className={classes.quiet}>
              <Timestamp at={last_error_at} />
            </span>
          )}
        </Fact>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt className={classes.term}>{name}</dt>
      <dd className={classes.value}>{children}</dd>
    </div>
  );
}

import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PreviewNotice } from '#platform/feedback/preview-notice.tsx';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { Page } from '#platform/page/page.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import classes from './billing-page.module.css';
import { billingSections, changePlanPath } from './sections.ts';

interface BillingPageProps {
  title: string;
  lead: string;
  /** The page has no tab of its own, so the Plan tab is active. */
  isOfPlan?: boolean;
  children: ReactNode;
}

/** Billing is only a preview, and the frame says so. */
export function BillingPage({ title, lead, isOfPlan = false, children }: BillingPageProps) {
  return (
    <>
      <Page title="Billing" description="Plan, invoices and payment method of this workspace.">
        <nav aria-label="Billing" className={classes.tabs}>
          {billingSections().map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className={classes.tab}
              activeOptions={{ exact: true, includeSearch: false }}
              aria-current={(isOfPlan && to === changePlanPath()) || undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
        <PreviewNotice>
          Preview only. Billing isn’t connected, so nothing you enter is saved. Once it is connected, a workspace owner
          can change it.
        </PreviewNotice>
        <Stack role="region" miw={0} aria-labelledby="billing-part">
          <header>
            <Text component="h2" id="billing-part" size="lg" fw={600}>
              {title}
            </Text>
            <Text c="dimmed" maw={640}>
              {lead}
            </Text>
          </header>
          {children}
        </Stack>
      </Page>
      <TabTitle title={title} />
    </>
  );
}

/** This is rendered after the frame, which sets the browser title to Billing alone. */
function TabTitle({ title }: { title: string }) {
  useTitle(`${title} · Billing`);
  return null;
}

export function ExampleRows({ children }: { children: ReactNode }) {
  return (
    <Stack gap="sm" miw={0}>
      <div>
        <StateBadge tone="undone" word="Sample data" />
      </div>
      {children}
    </Stack>
  );
}

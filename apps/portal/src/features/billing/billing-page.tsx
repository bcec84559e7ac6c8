import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PreviewNotice } from '#platform/feedback/preview-notice.tsx';
import { Page, useTitle } from '#platform/page/page.tsx';
import classes from './billing-page.module.css';
import { billingSections, changePlanPath } from './sections.ts';

interface BillingPageProps {
  title: string;
  /** One sentence on what this part is for. */
  lead: string;
  /** Its address has no tab of its own, and belongs to the plan's. */
  isOfPlan?: boolean;
  children: ReactNode;
}

/** The frame of every screen of this room: the tabs between them, and that none of it is connected (spec §2). */
export function BillingPage({ title, lead, isOfPlan = false, children }: BillingPageProps) {
  return (
    <>
      <Page title="Billing" description="What this workspace pays, how it pays, and who is told about it.">
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
          This is a preview: billing is not connected. Nothing that you type here is sent or kept. Once it is connected,
          a workspace owner can change it.
        </PreviewNotice>
        <section className={classes.section} aria-labelledby="billing-part">
          <header>
            <h2 id="billing-part" className={classes.title}>
              {title}
            </h2>
            <p className={classes.lead}>{lead}</p>
          </header>
          {children}
        </section>
      </Page>
      <TabTitle title={title} />
    </>
  );
}

/** Comes after the frame, which names the browser's tab after the room alone. */
function TabTitle({ title }: { title: string }) {
  useTitle(`${title} · Billing`);
  return null;
}

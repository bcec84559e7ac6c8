import { Button, Group, Text } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useId } from 'react';
import { productSlug } from '#platform/product/product.ts';
import { NotFoundScreen } from '#workspace/page/not-found-screen.tsx';
import { BillingPage } from './billing-page.tsx';
import { PlanCard } from './plan-card.tsx';
import { plansPath } from './sections.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/billing/change_{$product}_plan')({
  component: ChangePlanPage,
});

function ChangePlanPage() {
  const { product } = Route.useParams();
  const reasonId = useId();
  if (product !== productSlug()) return <NotFoundScreen />;
  return (
    <BillingPage title="Plan" lead="Your current plan. Only a workspace owner can change it.">
      <PlanCard>
        <Group gap="sm">
          <Button aria-disabled data-disabled aria-describedby={reasonId}>
            Change plan
          </Button>
          <Button component={Link} to={plansPath()} variant="default">
            See all plans
          </Button>
        </Group>
        <Text id={reasonId} c="dimmed" size="xs">
          Billing isn’t connected, so the plan can’t be changed.
        </Text>
      </PlanCard>
    </BillingPage>
  );
}

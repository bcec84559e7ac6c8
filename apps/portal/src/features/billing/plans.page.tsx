import { Button } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import { productSlug } from '#platform/product/product.ts';
import { NotFoundScreen } from '#workspace/page/not-found-screen.tsx';
import { BillingPage } from './billing-page.tsx';
import { PlanCard } from './plan-card.tsx';
import { changePlanPath } from './sections.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/billing/{$product}_plans')({
  component: PlansPage,
});

function PlansPage() {
  const { product } = Route.useParams();
  if (product !== productSlug()) return <NotFoundScreen />;
  return (
    <BillingPage title="All Plans" lead="One plan, with everything included." isOfPlan>
      <PlanCard>
        <div>
          <Button component={Link} to={changePlanPath()} variant="default">
            Back to your plan
          </Button>
        </div>
      </PlanCard>
    </BillingPage>
  );
}

import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { PageError } from '#platform/ui/page.tsx';

/** What is shown when a screen could not be drawn. */
export function BrokenPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <main>
      <PageError failure={error} isWholeScreen onRetry={() => void router.invalidate()} />
    </main>
  );
}

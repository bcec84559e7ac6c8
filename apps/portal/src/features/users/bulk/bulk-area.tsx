import { Suspense } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';
import { useWatchedJob } from './bulk.queries.ts';
import type { BulkList } from './bulk-bar.tsx';
import { isEmpty } from './selection.ts';
import { useSelected } from './use-selection.ts';

// Most visits choose no one.
const BulkBar = lazyComponent(async () => (await import('./bulk-bar.tsx')).BulkBar);
const BulkProgress = lazyComponent(async () => (await import('./bulk-bar.tsx')).BulkProgress);

/** Below the list: what can be done with the chosen users, or how far the last change is. */
export function BulkArea({ list }: { list: BulkList }) {
  const isIdle = useSelected(list.store, isEmpty);
  const { jobId, watch } = useWatchedJob();
  if (jobId === null && isIdle) return null;
  return (
    <Suspense fallback={null}>
      {jobId === null ? (
        <BulkBar list={list} onStarted={watch} />
      ) : (
        <BulkProgress key={jobId} jobId={jobId} onEnd={() => watch(null)} />
      )}
    </Suspense>
  );
}

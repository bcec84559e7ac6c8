import { Button, Loader } from '@mantine/core';
import type { InfiniteQueryObserverResult } from '@tanstack/react-query';

interface ShowMoreProps {
  list: Pick<InfiniteQueryObserverResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  className?: string | undefined;
  compact?: boolean;
}

/** Loads the next page of a short list if there is one. */
export function ShowMore({ list, className = '', compact = false }: ShowMoreProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      className={className}
      {...(compact && { size: 'compact-sm' })}
      variant="default"
      disabled={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {list.isFetchingNextPage ? <Loader size={14} /> : 'Show more'}
    </Button>
  );
}

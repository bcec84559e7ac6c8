import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Place } from '../integrations.queries.ts';
import { getPreview } from '../triggers/triggers.queries.ts';

/** A template is tried this long after the last key. Milliseconds. */
const TYPING_MS = 500;

/** What a template makes of the sample ticket, as soon as the fingers rest. */
export function usePreview(place: Place, template: string) {
  const [settled] = useDebouncedValue(template, TYPING_MS);
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    ...getPreview(place, settled),
    enabled: settled.trim() !== '',
  });
  const isEmpty = template.trim() === '';
  return {
    /** Absent before the first answer, and where there is nothing to try. */
    rendered: isEmpty ? undefined : data,
    problems: isEmpty ? [] : (data?.problems ?? []),
    isEmpty,
    /** What is shown belongs to what was typed before. */
    isStale: template !== settled || isPlaceholderData,
    failure: isFetching ? null : error,
    retry: () => void refetch(),
  };
}

/** A template as it is tried. */
export type Preview = ReturnType<typeof usePreview>;

import { useDebouncedValue } from '@mantine/hooks';
import { previewTemplate } from '@steward/contract/integrations';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/api/queries.ts';
import type { IntegrationKey } from '../integrations.queries.ts';
import { encodeTemplate } from './template-text.ts';

/** The template is rendered this long after the last change. */
const TYPING_MS = 500;

/** The template is rendered when the user pauses typing. */
export function usePreview(place: IntegrationKey, template: string) {
  const [settled] = useDebouncedValue(template, TYPING_MS);
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    ...queryOptionsFor(previewTemplate, { params: { ...place }, body: { message: encodeTemplate(settled) } }),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    enabled: settled.trim() !== '',
  });
  const isEmpty = template.trim() === '';
  return {
    /** The value is undefined before the first response and for an empty template. */
    rendered: isEmpty ? undefined : data,
    problems: isEmpty ? [] : (data?.problems ?? []),
    isEmpty,
    /** The preview belongs to an earlier version of the text. */
    isStale: template !== settled || isPlaceholderData,
    failure: isFetching ? null : error,
    retry: () => void refetch(),
  };
}

export type Preview = ReturnType<typeof usePreview>;

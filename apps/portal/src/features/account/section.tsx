import { Button, Group, Paper, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { type Failure, getFailureMessage } from '#platform/api/failure.ts';
import { Skeletons } from '#platform/page/page.tsx';

interface SectionProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

export function Section({ title, description, children }: SectionProps) {
  const id = useId();
  return (
    <Paper renderRoot={(props) => <section {...props} />} withBorder p={{ base: 'md', xs: 'lg' }} aria-labelledby={id}>
      <Text component="h2" id={id} m={0} fz="lg" fw={600}>
        {title}
      </Text>
      {description !== undefined && (
        <Text c="dimmed" mt={4}>
          {description}
        </Text>
      )}
      <div style={{ marginTop: 16 }}>{children}</div>
    </Paper>
  );
}

interface LoadedProps<Data> {
  data: Data | undefined;
  error: Failure | null;
  isFetching: boolean;
  refetch: () => unknown;
  children: (data: Data) => ReactNode;
}

/** While loading, skeleton rows take about the height of the content. */
export function Loaded<Data>({ data, error, isFetching, refetch, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  if (error === null) return <Skeletons rows={2} height={40} />;
  return (
    <Group justify="space-between" c="dimmed" role="alert">
      Couldn't load this: {getFailureMessage(error)}
      <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => void refetch()}>
        Retry
      </Button>
    </Group>
  );
}

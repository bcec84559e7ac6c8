import { Group, Paper, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { type Failure, getFailureMessage } from '#platform/api/failure.ts';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import classes from './account.module.css';

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
      <RowButton loading={isFetching} onClick={() => void refetch()}>
        Retry
      </RowButton>
    </Group>
  );
}

interface ListRowProps {
  title: ReactNode;
  text: ReactNode;
  /** Buttons of the row. */
  children?: ReactNode;
}

export function ListRow({ title, text, children }: ListRowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <Text fw={500}>{title}</Text>
        <Text c="dimmed" fz={13}>
          {text}
        </Text>
      </div>
      {children}
    </li>
  );
}

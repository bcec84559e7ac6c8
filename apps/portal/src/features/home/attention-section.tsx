import { Box, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { type Attention, getAttention } from '@steward/contract/home';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { Icon } from '#platform/page/icon.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { APPEARANCE, getDetail, getHeadline, getLink } from './attention-text.ts';
import classes from './home.module.css';
import { formatRelativeDay } from './relative-day.ts';

/** What needs attention in a team, most severe first; fetched again on every visit. */
export function AttentionSection({ teamId }: { teamId: string }) {
  const { data, error, refetch } = useQuery({
    ...queryOptionsFor(getAttention, { params: { teamId } }),
    refetchOnMount: 'always',
  });
  const records = data?.records;
  return (
    <Stack role="region" aria-labelledby="needs-attention" gap="sm">
      <Text component="h2" id="needs-attention" size="lg" fw={600}>
        Needs attention
      </Text>
      {records === undefined && error === null && <Skeletons rows={1} height={64} />}
      {records === undefined && error !== null && (
        <Paper withBorder bg="var(--surface-raised)">
          <PageError failure={error} onRetry={() => void refetch()} />
        </Paper>
      )}
      {records?.length === 0 && <AllClear />}
      {records !== undefined && records.length > 0 && (
        <Paper component="ul" withBorder bg="var(--surface-raised)" className={classes.list ?? ''}>
          {records.map((record) => (
            <li key={record.kind} className={classes.item}>
              <Row record={record} />
            </li>
          ))}
        </Paper>
      )}
    </Stack>
  );
}

function AllClear() {
  return (
    <Paper withBorder bg="var(--surface-raised)" className={classes.row ?? ''}>
      <ThemeIcon variant="light" color="green" size={36}>
        <Icon name="check" />
      </ThemeIcon>
      You’re all caught up.
    </Paper>
  );
}

function Row({ record }: { record: Attention }) {
  const link = getLink(record);
  const content = <Words record={record} isLink={link !== undefined} />;
  if (link === undefined) return <div className={classes.row}>{content}</div>;
  return (
    <Link className={classes.row} to={link.to} search={link.search}>
      {content}
    </Link>
  );
}

const COLORS = { danger: 'red', warning: 'yellow', quiet: 'gray' } as const;

function Words({ record, isLink }: { record: Attention; isLink: boolean }) {
  const { icon, tone } = APPEARANCE[record.kind];
  const detail = getDetail(record);
  return (
    <>
      <ThemeIcon variant="light" color={COLORS[tone]} size={36}>
        <Icon name={icon} />
      </ThemeIcon>
      <Box flex={1} miw={0}>
        <Text fw={500}>{getHeadline(record)}</Text>
        <Group gap="0 12px" c="dimmed" fz="xs">
          {record.since !== null && <Since record={record} since={record.since} />}
          {detail !== undefined && (
            // The reply of a mail server can be long.
            <Text span inherit lineClamp={2}>
              <bdi>{detail}</bdi>
            </Text>
          )}
        </Group>
      </Box>
      {isLink && (
        <Box c="dimmed" lh={0} visibleFrom="sm">
          <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />
        </Box>
      )}
    </>
  );
}

function Since({ record, since }: { record: Attention; since: number }) {
  const exact = new Date(since).toISOString();
  return (
    <Text span inherit className="figures" style={{ whiteSpace: 'nowrap' }}>
      {record.kind === 'retention_waiting' ? 'From' : 'Since'}{' '}
      <time dateTime={exact} title={exact}>
        {formatRelativeDay(since, Date.now())}
      </time>
    </Text>
  );
}

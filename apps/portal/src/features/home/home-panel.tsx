import { Box, Button, Group, Paper, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core';
import { type Attention, getAttention } from '@steward/contract/home';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import { Logo } from '#platform/page/logo.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import { productName } from '#platform/product/product.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { APPEARANCE, formatRelativeDay, getDetail, getHeadline, getLink } from './attention-text.ts';
import classes from './home.module.css';
import { SummaryCards } from './summary-cards.tsx';

export function HomePanel() {
  const team = useCurrentTeam();
  useTitle('Home');
  return (
    <Stack gap="xl">
      <Group wrap="nowrap" align="center">
        <Logo size={40} />
        <Box miw={0} flex={1}>
          <Text component="h1" fz={24} fw={600} lh={1.25} lts="-0.02em">
            {productName()} Admin Portal
          </Text>
          <Text c="dimmed">
            Managing{' '}
            <Text span fw={500} c="var(--mantine-color-text)">
              <bdi>{team.display_name}</bdi>
            </Text>
          </Text>
        </Box>
        <AddUser />
      </Group>
      <AttentionSection teamId={team.id} />
      <SummaryCards teamId={team.id} />
      <Shortcuts />
    </Stack>
  );
}

/** Adding a user is the most frequent change of a team. The dialog opens on Manage Users. */
function AddUser() {
  return (
    <Button
      renderRoot={(props) => <Link to="/users/users" state={{ command: 'add user' }} {...props} />}
      mih={{ base: 44, sm: 36 }}
      leftSection={<Icon name="plus" size={16} />}
    >
      Add User
    </Button>
  );
}

/** The most severe items come first. The list is fetched again on every visit. */
function AttentionSection({ teamId }: { teamId: string }) {
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
        <Paper component="ul" m={0} p={0} withBorder bg="var(--surface-raised)" className={classes.list ?? ''}>
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

const SHORTCUTS: readonly { to: string; label: string; text: string; icon: IconName }[] = [
  { to: '/users/users', label: 'Manage Users', text: 'Users, invitations and sessions', icon: 'people' },
  {
    to: '/users/company_directory',
    label: 'Company Directory',
    text: 'Names, numbers and emails',
    icon: 'book',
  },
  {
    to: '/dashboard/team_settings/retention',
    label: 'Retention',
    text: 'How long content is kept',
    icon: 'archive',
  },
  {
    to: '/dashboard/team_settings/default_channels',
    label: 'Default Channels',
    text: 'Channels new members join automatically',
    icon: 'hash',
  },
  { to: '/dashboard/integrations', label: 'Integrations', text: 'Post tickets and events to channels', icon: 'plug' },
  { to: '/dashboard/audit_log', label: 'Audit Log', text: 'Who changed what, and when', icon: 'shield' },
];

function Shortcuts() {
  return (
    <Stack role="region" aria-labelledby="go-to" gap="sm">
      <Text component="h2" id="go-to" size="lg" fw={600}>
        Go to
      </Text>
      <SimpleGrid
        cols={{ base: 1, xs: 2, md: 3, lg: 4 }}
        spacing="sm"
        m={0}
        p={0}
        renderRoot={(props) => <ul {...props} />}
      >
        {SHORTCUTS.map(({ to, label, text, icon }) => (
          <Paper key={to} component="li" withBorder bg="var(--surface-raised)" className={classes.item ?? ''}>
            <Link className={classes.row} to={to}>
              <Box c="dimmed" lh={0}>
                <Icon name={icon} />
              </Box>
              <Box miw={0}>
                <Text fw={500}>{label}</Text>
                <Text c="dimmed" size="xs">
                  {text}
                </Text>
              </Box>
            </Link>
          </Paper>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

import { Box, Group, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { Answer, AnyEndpoint } from '@steward/contract/api/endpoint';
import {
  getIntegrationsSummary,
  getPeopleSummary,
  getRetentionSummary,
  getSignInSummary,
  getStorageSummary,
  type IntegrationsSummary,
  type PeopleSummary,
  type RetentionSummary,
  type SignInSummary,
  type StorageSummary,
} from '@steward/contract/home';
import { getRetentionForecast } from '@steward/contract/retention/foresight';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import { formatBytes, formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import classes from './home.module.css';

const SETTINGS = '/dashboard/team_settings';
/** Without these filters, the list contains integration users too. */
const MEMBERS = { primary_owner: 1, workspace_admin: 1, member: 1 };

const ACTIVE = 'Active means using this portal, or an app that signs in to it.';

/**
 * Each card loads by itself, so that a slow or failing one doesn't hold back the others. Short cards share a column, so that all of
 * them are seen at once.
 */
export function SummaryCards({ teamId }: { teamId: string }) {
  const sent = { params: { teamId } };
  return (
    <Stack role="region" aria-labelledby="summary" gap="sm">
      <Text component="h2" id="summary" size="lg" fw={600}>
        Your team
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        <Card title="People" icon="people" endpoint={getPeopleSummary} sent={sent} rows={8} note={ACTIVE}>
          {(people) => <People people={people} />}
        </Card>
        <Stack gap="sm">
          <Card title="Sign-in" icon="key" endpoint={getSignInSummary} sent={sent} rows={3}>
            {(signIn) => <SignIn signIn={signIn} />}
          </Card>
          <Card title="Retention" icon="archive" endpoint={getRetentionSummary} sent={sent} rows={4}>
            {(retention) => <Retention teamId={teamId} retention={retention} />}
          </Card>
        </Stack>
        <Stack gap="sm">
          <Card title="Storage" icon="folder" endpoint={getStorageSummary} sent={sent} rows={5}>
            {(storage) => <Storage storage={storage} />}
          </Card>
          <Card title="Integrations" icon="plug" endpoint={getIntegrationsSummary} sent={sent} rows={2}>
            {(integrations) => <Integrations integrations={integrations} />}
          </Card>
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

interface CardProps<E extends AnyEndpoint> {
  title: string;
  icon: IconName;
  endpoint: E;
  sent: { params: { teamId: string } };
  /** Lines of the card, so that nothing moves when they arrive. */
  rows: number;
  /** Shown below the lines, also while they load. */
  note?: string;
  children: (answer: Answer<E>) => ReactNode;
}

function Card<E extends AnyEndpoint>({ title, icon, endpoint, sent, rows, note, children }: CardProps<E>) {
  const { data, error, refetch } = useQuery({ ...queryOptionsFor(endpoint, sent as never), refetchOnMount: 'always' });
  const id = useId();
  return (
    <Paper role="group" withBorder bg="var(--surface-raised)" p="md" aria-labelledby={id}>
      <Group gap={10} pb={8} wrap="nowrap">
        <Box c="dimmed" lh={0}>
          <Icon name={icon} />
        </Box>
        <Text component="h3" id={id} fw={600}>
          {title}
        </Text>
      </Group>
      <Box className={classes.figures ?? ''} __vars={{ '--rows': String(rows) }}>
        {data !== undefined && children(data)}
        {data === undefined && error === null && (
          <Stack gap={0} aria-busy="true">
            {Array.from({ length: rows }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: all lines are alike
              <div key={at} className={classes.figure}>
                <Skeleton height={12} width="60%" />
                <Skeleton height={12} width={40} />
              </div>
            ))}
          </Stack>
        )}
        {data === undefined && error !== null && (
          <Stack gap="xs" align="start" role="alert">
            <Text c="dimmed" fz="sm">
              {getFailureMessage(error)}
            </Text>
            <RowButton aria-label={`Retry ${title}`} onClick={() => void refetch()}>
              Retry
            </RowButton>
          </Stack>
        )}
      </Box>
      {note !== undefined && (
        <Text c="dimmed" size="xs" mt={8}>
          {note}
        </Text>
      )}
    </Paper>
  );
}

interface FigureProps {
  label: ReactNode;
  value: ReactNode;
  to: string;
  search?: Record<string, unknown>;
  /** Something is wrong. */
  isBad?: boolean;
}

/** A line leads to where the number comes from. */
function Figure({ label, value, to, search = {}, isBad = false }: FigureProps) {
  return (
    <Link className={classes.figure} to={to} search={search}>
      <Text span inherit c="dimmed">
        {label}
      </Text>{' '}
      <Text span inherit fw={500} className="figures" {...(isBad && { c: 'var(--danger)' })}>
        {isBad && <Icon name="warning" size={14} />} {value}
      </Text>
    </Link>
  );
}

const USERS = '/users/users';

function People({ people }: { people: PeopleSummary }) {
  const within = (days: number) => ({ ...MEMBERS, active_days: days, sort: 'last_active', order: 'desc' });
  return (
    <>
      <Figure label="Members" value={formatNumber(people.members)} to={USERS} />
      <Figure label="Active in 7 days" value={formatNumber(people.active_7_days)} to={USERS} search={within(7)} />
      <Figure label="Active in 30 days" value={formatNumber(people.active_30_days)} to={USERS} search={within(30)} />
      <Figure
        label="Never signed in"
        value={formatNumber(people.never_active)}
        to={USERS}
        search={{ ...MEMBERS, never_active: 1 }}
      />
      <Figure
        label="Inactive for 90 days"
        value={formatNumber(people.inactive_90_days)}
        to={USERS}
        search={{ ...MEMBERS, inactive_days: 90 }}
      />
      <Figure
        label="Leaving in 14 days"
        value={formatNumber(people.leaving_14_days)}
        to={USERS}
        search={{ ending_days: 14, sort: 'end' }}
      />
      <Figure
        label="Leaving in 30 days"
        value={formatNumber(people.leaving_30_days)}
        to={USERS}
        search={{ ending_days: 30, sort: 'end' }}
      />
      <Figure
        label="Invited over 14 days ago"
        value={`${formatNumber(people.invited_over_14_days)} of ${formatNumber(people.invited)}`}
        to={USERS}
        search={{ pending: 1, invited_days: 14 }}
      />
    </>
  );
}

/** 0 of 0 is shown as a number, because it is no share. */
const toShare = (part: number, whole: number) =>
  whole === 0 ? '0' : `${formatNumber(part)} (${Math.floor((part / whole) * 100)}%)`;

function SignIn({ signIn }: { signIn: SignInSummary }) {
  const { members, with_second_factor, with_single_sign_on, admins, admins_without_second_factor: without } = signIn;
  const security = `${SETTINGS}/security`;
  return (
    <>
      <Figure label="With a second factor" value={toShare(with_second_factor, members)} to={security} />
      <Figure label="With single sign-on" value={toShare(with_single_sign_on, members)} to={`${SETTINGS}/sso`} />
      <Figure
        label="Admins without a second factor"
        value={`${formatNumber(without)} of ${formatNumber(admins)}`}
        to={USERS}
        search={{ primary_owner: 1, workspace_admin: 1, without_second_factor: 1 }}
        isBad={without > 0}
      />
    </>
  );
}

function Storage({ storage }: { storage: StorageSummary }) {
  const { total, added_30_days: added, channels, private: hidden, freed_this_month: freed } = storage;
  const page = '/dashboard/storage';
  const [largest] = channels;
  return (
    <>
      <Figure label={`${formatNumber(total.count)} items`} value={formatBytes(total.bytes)} to={page} />
      <Figure label="Added in 30 days" value={formatBytes(added.bytes)} to={page} />
      <Figure
        label={
          largest ? (
            <>
              Largest: <bdi>{largest.channel_name}</bdi>
            </>
          ) : (
            'Largest public channel'
          )
        }
        value={largest ? formatBytes(largest.bytes) : 'None'}
        to={page}
      />
      <Figure label="Private and direct" value={formatBytes(hidden.bytes)} to={page} />
      <Figure label="Deleted by rules this month" value={formatBytes(freed.bytes)} to={`${SETTINGS}/retention`} />
    </>
  );
}

function Retention({ teamId, retention }: { teamId: string; retention: RetentionSummary }) {
  const { rules, last_night: night, holds } = retention;
  const forecast = useQuery({
    ...queryOptionsFor(getRetentionForecast, { params: { teamId }, query: {} }),
    enabled: rules > 0,
  });
  const page = `${SETTINGS}/retention`;
  const due = rules === 0 ? 0 : forecast.data?.total.count;
  return (
    <>
      <Figure label="Rules in effect" value={formatNumber(rules)} to={page} />
      <Figure
        label={
          night === null ? (
            'Last night'
          ) : (
            <>
              Last night, <Timestamp at={night.at} />
            </>
          )
        }
        value={night === null ? 'No run yet' : night.failed ? 'Failed' : `${formatNumber(night.deleted)} deleted`}
        to={page}
        isBad={night?.failed === true}
      />
      <Figure
        label="Due in 30 nights"
        value={due === undefined ? (forecast.error === null ? '…' : 'Unknown') : formatNumber(due)}
        to={page}
      />
      <Figure label="Legal holds" value={formatNumber(holds)} to={`${SETTINGS}/holds`} />
    </>
  );
}

function Integrations({ integrations }: { integrations: IntegrationsSummary }) {
  const { connected, posted_7_days: posted, failed_7_days: failed } = integrations;
  if (connected === 0) return <Figure label="Connected" value="None" to="/dashboard/integrations" />;
  const to = '/dashboard/triggers';
  return (
    <>
      <Figure label="Messages posted in 7 days" value={formatNumber(posted)} to={to} />
      <Figure label="Not posted in 7 days" value={formatNumber(failed)} to={to} isBad={failed > 0} />
    </>
  );
}

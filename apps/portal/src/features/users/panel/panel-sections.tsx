import { Anchor, Button, Text } from '@mantine/core';
import { findAuditAction } from '@steward/contract/audit/catalog';
import type { UserDetails } from '@steward/contract/users/panel';
import type { SignIn } from '@steward/contract/users/sign-ins';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { HeaderLink } from '#platform/page/header-link.tsx';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import { formatDay, formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { invitationQueryOptions } from '../invitations/invitations.queries.ts';
import { LastActive } from '../list/user-cells.tsx';
import { SessionList } from '../sessions/session-list.tsx';
import { type Holder, useRevokeSession } from '../sessions/sessions.queries.ts';
import { OUTCOMES } from '../sign-ins/sign-in-text.ts';
import classes from './panel.module.css';
import { userHistoryQueryOptions, useSessions } from './panel.queries.ts';
import { UnlinkIdentity } from './unlink-identity.tsx';

interface SectionsProps {
  holder: Holder;
  user: UserDetails;
}

export function PanelSections({ holder, user }: SectionsProps) {
  const isActive = user.state === 'active';
  return (
    <>
      <Overview holder={holder} user={user} />
      {user.abilities.includes('resend_invitation') && <InvitationStatus holder={holder} user={user} />}
      {isActive && user.abilities.includes('view_sessions') && <Sessions holder={holder} />}
      {user.state !== 'invited' && (
        <Section
          title="Sign-ins"
          aside={
            <HeaderLink
              label="Sign-in log"
              icon="key"
              title="View all sign-ins of this user"
              renderRoot={(props) => <Link to="/users/sign_ins" search={{ user: user.id }} {...props} />}
            />
          }
        >
          <SignIns signIns={user.sign_ins} />
        </Section>
      )}
      <History holder={holder} />
    </>
  );
}

function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.sectionHead}>
        <Text component="h3" id={id} fz="0.8125rem" fw={600}>
          {title}
        </Text>
        {aside}
      </div>
      {children}
    </section>
  );
}

function Overview({ holder, user }: SectionsProps) {
  const { roles } = useCurrentTeam();
  const { state, joined_at, invited_at, invited_by, directory_entry_id } = user;
  return (
    <Section title="Overview">
      <dl className={classes.facts}>
        {joined_at !== null && (
          <Fact name="Joined">
            <Timestamp at={joined_at} />
          </Fact>
        )}
        {invited_at !== null && (
          <Fact name="Invited">
            <Timestamp at={invited_at} />
          </Fact>
        )}
        {invited_by !== null && <Fact name="Invited by">{<bdi>{invited_by.name || 'Former member'}</bdi>}</Fact>}
        {user.invitation_link !== null && (
          <Fact name={state === 'invited' ? 'Invited with' : 'Joined with'}>
            <Link to="/users/invitation_links">
              <bdi>{user.invitation_link.name || 'Invitation link'}</bdi>
            </Link>
          </Fact>
        )}
        {user.ends_on !== null && <Fact name="End date">{formatDay(user.ends_on)}</Fact>}
        {state === 'deactivated' && user.delete_at > 0 && (
          <Fact name="Deactivated">
            <Timestamp at={user.delete_at} />
          </Fact>
        )}
        {user.sso !== null && (
          <Fact name="Single sign-on">
            <bdi>{user.sso.provider}</bdi>: <bdi>{user.sso.email || 'no address'}</bdi>
            {roles.includes('team_owner') && (
              <div style={{ marginTop: 4 }}>
                <UnlinkIdentity holder={holder} user={user} provider={user.sso.provider} />
              </div>
            )}
          </Fact>
        )}
        {user.lives_on.length > 0 && (
          <Fact name="Lives on">
            <LivesOn servers={user.lives_on} />
          </Fact>
        )}
        {state !== 'invited' && (
          <Fact name="Last active">
            <LastActive user={user} />
          </Fact>
        )}
        {state === 'active' && <Fact name="Active sessions">{formatNumber(user.sessions)}</Fact>}
        {state === 'active' && <Fact name="Second factor">{user.second_factor ? 'Set up' : 'None'}</Fact>}
        {state !== 'invited' && <Fact name="Service tokens">{formatNumber(user.tokens)}</Fact>}
        {state !== 'deactivated' && (
          <Fact name={state === 'invited' ? 'Emailed links' : 'Reset links'}>{formatNumber(user.links)}</Fact>
        )}
        {user.holds.length > 0 && (
          <Fact name="Legal holds">
            {user.holds.map(({ id, name }, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <Link to="/dashboard/team_settings/holds">
                  <bdi>{name}</bdi>
                </Link>
              </span>
            ))}
          </Fact>
        )}
        {directory_entry_id !== '' && (
          <Fact name="Directory">
            <Link to="/users/company_directory" search={{ search: user.email }}>
              Show directory entry
            </Link>
          </Fact>
        )}
      </dl>
    </Section>
  );
}

/** Users of connected servers who are linked to the account. */
function LivesOn({ servers }: { servers: UserDetails['lives_on'] }) {
  return servers.map(({ connection_id: connection, server, username }) => (
    <div key={connection}>
      <Anchor
        renderRoot={(props) => (
          <Link to="/users/connected_users" search={{ connection, search: username }} {...props} />
        )}
      >
        <bdi>{server}</bdi>
      </Anchor>{' '}
      as <bdi>{username}</bdi>
    </div>
  ));
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Sending and canceling are among the actions of the panel. */
function InvitationStatus({ holder, user }: SectionsProps) {
  const { data, error } = useQuery(invitationQueryOptions(holder));
  return (
    <Section title="Invitation">
      {user.invitation === 'limited' && (
        <p className={classes.note}>The invitation wasn't sent, because too many were sent today. Resend it later.</p>
      )}
      {error !== null && <p className={classes.note}>Couldn't load the invitation: {getFailureMessage(error)}</p>}
      {data === undefined && error === null && <Skeletons rows={2} height={20} />}
      {data !== undefined && (
        <dl className={classes.facts}>
          <Fact name="Email">{MAIL_TEXTS[data.mail ?? 'unknown']}</Fact>
          {data.error !== '' && <Fact name="Mail server">{<bdi>{data.error}</bdi>}</Fact>}
          {data.sent_at !== null && (
            <Fact name="Last sent">
              <Timestamp at={data.sent_at} />
            </Fact>
          )}
          {data.expires_at !== null && (
            <Fact name="Link expires">
              <Timestamp at={data.expires_at} />
            </Fact>
          )}
        </dl>
      )}
    </Section>
  );
}

const MAIL_TEXTS = { waiting: 'Being sent', sent: 'Sent', failed: "Couldn't be delivered", unknown: 'Unknown' };

function Sessions({ holder }: { holder: Holder }) {
  const sessions = useSessions(holder);
  const ending = useRevokeSession(holder);
  return (
    <div className={`${classes.section} ${classes.sessions}`}>
      <SessionList sessions={sessions} ending={ending} isBusy={ending.endingId !== undefined} />
    </div>
  );
}

function History({ holder }: { holder: Holder }) {
  const { data, error, refetch } = useQuery(userHistoryQueryOptions(holder));
  return (
    <Section title="History" aside={<HistoryLink target={holder.userId}>Audit log</HistoryLink>}>
      {data === undefined && error === null && <Skeletons rows={3} height={36} />}
      {error !== null && (
        <p className={classes.note}>
          Couldn't load the history: {getFailureMessage(error)}{' '}
          <Button size="compact-xs" variant="default" onClick={() => void refetch()}>
            Retry
          </Button>
        </p>
      )}
      {data?.records.length === 0 && <p className={classes.note}>No changes recorded.</p>}
      {data !== undefined && data.records.length > 0 && (
        <ul className={classes.list}>
          {data.records.map(({ id, action, at, actor }) => (
            <LogItem key={id} icon="clock" title={findAuditAction(action)?.label ?? action}>
              <Timestamp at={at} />
              {actor !== null && (
                <>
                  {' by '}
                  <bdi>{actor.name || 'a former member'}</bdi>
                </>
              )}
            </LogItem>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The list includes refused sign-ins. */
function SignIns({ signIns }: { signIns: readonly SignIn[] }) {
  if (signIns.length === 0) return <p className={classes.note}>No sign-ins recorded.</p>;
  return (
    <ul className={classes.list}>
      {signIns.map(({ id, at, outcome, device, address }) => (
        <LogItem key={id} icon={outcome === 'ok' ? 'check' : 'warning'} title={OUTCOMES[outcome].label}>
          <Timestamp at={at} />, {device}, <bdi>{address}</bdi>
        </LogItem>
      ))}
    </ul>
  );
}

function LogItem({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <li className={classes.item}>
      <Icon name={icon} size={16} />
      <span className={classes.itemText}>
        {title}
        <small>{children}</small>
      </span>
    </li>
  );
}

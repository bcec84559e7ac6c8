import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import type { Domain } from '@steward/contract/sso/domains';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showFailure } from '#platform/feedback/alerts.tsx';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { CopyField } from '#platform/forms/copy-field.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { ConnectionForm } from './connection-form.tsx';
import { addingDomain, domainsQueryOptions, removingDomain, ssoQueryOptions, verifyingDomain } from './sso.queries.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/sso')({ component: SsoPage });

const TITLE = 'Single Sign-On';

function SsoPage() {
  const { id, display_name, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} name={display_name} /> : <AdminPage />;
}

/** Other admins can't call the endpoints of this screen. */
function AdminPage() {
  return (
    <Page title={TITLE} actions={<HistoryLink actions={['sso']} />}>
      <EmptyState icon="lock" title="Only owners can set up single sign-on">
        With single sign-on, users sign in to this team at your company’s identity provider.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId, name }: { teamId: string; name: string }) {
  const { data, error, refetch } = useQuery(ssoQueryOptions(teamId));
  return (
    <Page
      title={TITLE}
      description={`Lets users sign in to ${name} at your company’s identity provider, such as Entra, Google, Okta or Keycloak. Nothing changes for them until you switch it on.`}
      actions={<HistoryLink actions={['sso']} />}
    >
      <div className={sheet.form}>
        <DomainsSection teamId={teamId} />
      </div>
      {data !== undefined && <ConnectionForm key={data.id} teamId={teamId} stored={data} />}
      {data === undefined && error === null && (
        <div className={sheet.form} aria-busy="true">
          <Skeletons rows={3} height={168} />
        </div>
      )}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

/** A new domain is verified by a DNS record. */
function DomainsSection({ teamId }: { teamId: string }) {
  const title = useId();
  const { data, error, refetch } = useQuery(domainsQueryOptions(teamId));
  return (
    <section className={sheet.fields} aria-labelledby={title}>
      <div>
        <Title order={2} id={title} fz="1rem">
          1. Email domains
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          Show that your company owns the domain of its email addresses. Only users with an address of a verified domain
          are sent to your identity provider.
        </Text>
      </div>
      {data === undefined && error === null && <Skeletons rows={1} height={52} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.map((domain) => (
        <DomainRow key={domain.id} teamId={teamId} domain={domain} />
      ))}
      {data !== undefined && <AddDomain teamId={teamId} />}
    </section>
  );
}

function DomainRow({ teamId, domain }: { teamId: string; domain: Domain }) {
  const [isRemoving, setRemoving] = useState(false);
  const verify = useMutation(verifyingDomain);
  const remove = useMutation(removingDomain);
  const params = { teamId, domainId: domain.id };
  const isVerified = domain.verified_at !== null;
  const needsRecord = !isVerified || domain.missing_since !== null;
  return (
    <Stack gap="sm" role="group" aria-label={domain.domain}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {domain.domain}
          </Text>
          <StateBadge {...describeState(domain)} />
        </Group>
        <RowButton onClick={() => setRemoving(true)}>Remove</RowButton>
      </Group>
      {needsRecord && (
        <>
          <Text c="dimmed" size="sm">
            Add this TXT record where your domain’s DNS is managed, then verify. Keep it there: it is looked for every
            day.
          </Text>
          <CopyField showsLabel label="Record name" value={domain.record.name} />
          <CopyField showsLabel label="Record value" value={domain.record.value} />
          <Group gap="sm">
            <Button variant="default" loading={verify.isPending} onClick={() => verify.mutate({ params })}>
              Verify
            </Button>
            {verify.error !== null && !verify.isPending && (
              <Text c="var(--mantine-color-error)" size="sm" role="alert" flex="1 1 200px">
                {verify.error.message}
              </Text>
            )}
          </Group>
        </>
      )}
      <ConfirmDialog
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        title="Remove domain"
        question={`Remove ${domain.domain}?`}
        detail="Its users are no longer sent to your identity provider when they sign in, and new ones can’t join. Users who have already signed in that way keep their link."
        confirmLabel="Remove"
        danger
        pending={remove.isPending}
        onConfirm={() =>
          remove.mutate(
            { params },
            {
              onError: showFailure,
              onSettled: () => setRemoving(false),
            },
          )
        }
      />
    </Stack>
  );
}

function describeState({ verified_at, missing_since }: Domain) {
  if (verified_at === null) return { tone: 'quiet', word: 'Not verified' } as const;
  return missing_since === null
    ? ({ tone: 'success', word: 'Verified' } as const)
    : ({ tone: 'warning', word: 'Record missing' } as const);
}

function AddDomain({ teamId }: { teamId: string }) {
  const [domain, setDomain] = useState('');
  const add = useMutation(addingDomain);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ params: { teamId }, body: { domain } }, { onSuccess: () => setDomain('') });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Group gap="xs" align="flex-start">
        <TextInput
          flex="1 1 220px"
          label="Add a domain"
          placeholder="example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={domain}
          error={add.error?.message.replace(/^domain: /, 'This ')}
          onChange={({ currentTarget: { value } }) => {
            setDomain(value);
            add.reset();
          }}
        />
        <Button type="submit" variant="default" mt={24} disabled={domain.trim() === ''} loading={add.isPending}>
          Add
        </Button>
      </Group>
    </form>
  );
}

import { Button, SimpleGrid, Stack } from '@mantine/core';
import type { Integration } from '@steward/contract/integrations';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, useLocation } from '@tanstack/react-router';
import { useRef } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { CredentialsDialog } from '../connection/credentials-dialog.tsx';
import { DisableDialog } from '../connection/disable-dialog.tsx';
import { CopyField } from '../connection/generated-secret.tsx';
import { WebhookDialog } from '../connection/webhook-dialog.tsx';
import { Deliveries } from '../deliveries/deliveries.tsx';
import { integrationQueryOptions, integrationsQueryOptions } from '../integrations.queries.ts';
import { StatusNotice } from '../status/status-notice.tsx';
import { selectIntegration } from './trigger.form.ts';
import { TriggerForm } from './trigger-form.tsx';
import { useTriggerForm } from './use-trigger-form.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/triggers')({ component: TriggersPage });

/** How often the health is refetched while the page is visible. Milliseconds. */
const HEALTH_POLL_MS = 10_000;

/** Opened with the id of an integration; without a matching one, it shows a connected one. */
function TriggersPage() {
  const team = useCurrentTeam();
  const { integrationId } = useLocation().state;
  const { data, error, refetch } = useQuery({
    ...integrationsQueryOptions(team.id),
    refetchInterval: HEALTH_POLL_MS,
  });
  const integration = selectIntegration(data?.records ?? [], integrationId);
  if (integration !== undefined) return <Triggers key={integration.id} teamId={team.id} integration={integration} />;
  return (
    <Page title="Triggers">
      {error === null ? <TriggersSkeleton /> : <PageError failure={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function Triggers({ teamId, integration }: { teamId: string; integration: Integration }) {
  const place = { teamId, integrationId: integration.id };
  const { data: detail, isPending } = useQuery(integrationQueryOptions(place));
  const form = useTriggerForm(detail);
  const credentials = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'disable' | 'credentials', never>('disable', credentials);
  const isConnected = detail?.enabled ?? integration.enabled;
  return (
    <Page
      title="Triggers"
      description="Choose what is posted, where, and how the message looks."
      actions={
        isConnected && (
          <>
            <Button ref={credentials} variant="default" onClick={() => open('credentials')}>
              UPDATE CREDENTIAL
            </Button>
            <Button variant="default" onClick={() => open('disable')}>
              DISABLE
            </Button>
          </>
        )
      }
    >
      <StatusNotice integration={integration} domain={detail?.domain} warnings={detail?.warnings ?? []} />
      {detail?.hook_url && <CopyField label="Address" value={detail.hook_url} />}
      {isPending && <TriggersSkeleton />}
      {/* Unsaved edits stay even if another admin disconnects the integration. */}
      {!isPending && (isConnected || form.isUnsaved) && <TriggerForm place={place} form={form} detail={detail} />}
      {!isPending && !isConnected && !form.isUnsaved && <NotConnected integration={integration} />}
      <Deliveries place={place} isConnected={isConnected} />
      {current.what === 'disable' && current.time > 0 && (
        <DisableDialog
          key={current.time}
          place={place}
          name={integration.name}
          domain={detail?.domain}
          opened={current.opened}
          onDisabled={form.reset}
          onClose={close}
        />
      )}
      {current.what === 'credentials' && current.time > 0 && detail?.has_events !== false && (
        <CredentialsDialog key={current.time} {...place} detail={detail} opened={current.opened} onClose={close} />
      )}
      {current.what === 'credentials' && current.time > 0 && detail?.has_events === false && (
        <WebhookDialog key={current.time} place={place} detail={detail} opened={current.opened} onClose={close} />
      )}
    </Page>
  );
}

/** The fields above the editor and its preview. */
function TriggersSkeleton() {
  return (
    <Stack gap="lg" aria-busy="true">
      <Skeletons rows={2} height={72} width="min(640px, 100%)" />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Skeletons rows={1} height={360} />
        <Skeletons rows={1} height={200} />
      </SimpleGrid>
    </Stack>
  );
}

function NotConnected({ integration: { id, name } }: { integration: Integration }) {
  return (
    <EmptyState
      icon="plug"
      title={`${name} is not connected`}
      action={
        <Button component={Link} to={`/dashboard/settings/${id}`}>
          Connect {name}
        </Button>
      }
    >
      Connect it first, then choose which tickets are posted to your channels.
    </EmptyState>
  );
}

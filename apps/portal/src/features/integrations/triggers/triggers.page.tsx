import { Button } from '@mantine/core';
import type { Integration } from '@steward/contract/integrations';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useLocation } from '@tanstack/react-router';
import { useRef } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { CredentialsDialog } from '../connection/credentials-dialog.tsx';
import { DisableDialog } from '../connection/disable-dialog.tsx';
import { CopyField } from '../connection/generated-secret.tsx';
import { NotConnected } from '../connection/not-connected.tsx';
import { WebhookDialog } from '../connection/webhook-dialog.tsx';
import { Deliveries } from '../deliveries/deliveries.tsx';
import { integrationQueryOptions, integrationsQueryOptions } from '../integrations.queries.ts';
import { StatusNotice } from './status-notice.tsx';
import { selectIntegration } from './trigger.form.ts';
import { TriggerForm } from './trigger-form.tsx';
import { INTEGRATION_POLL_MS } from './triggers.queries.ts';
import { useTriggerForm } from './use-trigger-form.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/triggers')({ component: TriggersPage });

/** Opened with the id of an integration; a reload in another team, or somebody who types the address, has none that fits. */
function TriggersPage() {
  const team = useCurrentTeam();
  const { integrationId } = useLocation().state;
  const { data, error, refetch } = useQuery({
    ...integrationsQueryOptions(team.id),
    refetchInterval: INTEGRATION_POLL_MS,
  });
  const integration = selectIntegration(data?.records ?? [], integrationId);
  if (integration !== undefined) return <Triggers key={integration.id} teamId={team.id} integration={integration} />;
  return (
    <Page title="Triggers">
      {error === null ? (
        <Skeletons rows={4} height={52} />
      ) : (
        <PageError failure={error} onRetry={() => void refetch()} />
      )}
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
      {isPending && <Skeletons rows={3} height={120} />}
      {/* What somebody has typed stays, also when somebody else disconnects meanwhile. */}
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

import { Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Integration } from '@steward/contract/integrations';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { CopyField } from '#platform/forms/copy-field.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { Deliveries } from '../deliveries/deliveries.tsx';
import {
  type IntegrationKey,
  integrationQueryOptions,
  integrationsQueryOptions,
  useDisable,
} from '../integrations.queries.ts';
import { getProvider } from '../providers/registry.ts';
import { HealthBadge, Warnings } from '../status.tsx';
import { selectIntegration } from './trigger.form.ts';
import { TriggerForm } from './trigger-form.tsx';
import { useTriggerForm } from './use-trigger-form.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/triggers')({ component: TriggersPage });

/** The health is refetched at this interval while the page is visible. */
const HEALTH_POLL_MS = 10_000;

/** The address may have the id of an integration; without a matching one, the page shows a connected one. */
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
  const { UpdateDialog, ...provider } = getProvider(integration.code);
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
      <StatusNotice
        integration={integration}
        account={provider.getAccount(detail) ?? integration.name}
        warnings={detail?.warnings ?? []}
      />
      {detail?.hook_url && <CopyField showsLabel label="Address" value={detail.hook_url} />}
      {isPending && <TriggersSkeleton />}
      {/* Unsaved edits stay even if another admin disconnects the integration. */}
      {!isPending && (isConnected || form.isUnsaved) && (
        <TriggerForm integration={integration} place={place} form={form} detail={detail} />
      )}
      {!isPending && !isConnected && !form.isUnsaved && <NotConnected integration={integration} />}
      <Deliveries place={place} isConnected={isConnected} />
      {current.what === 'disable' && current.time > 0 && (
        <DisableDialog
          key={current.time}
          place={place}
          name={integration.name}
          removal={provider.describeRemoval(detail)}
          opened={current.opened}
          onDisabled={form.reset}
          onClose={close}
        />
      )}
      {/* Its form starts with the stored values, so it opens when they have arrived. */}
      {current.what === 'credentials' && current.time > 0 && !isPending && (
        <UpdateDialog key={current.time} place={place} detail={detail} opened={current.opened} onClose={close} />
      )}
    </Page>
  );
}

interface StatusNoticeProps {
  integration: Integration;
  account: string;
  warnings: readonly string[];
}

function StatusNotice({ integration, account, warnings }: StatusNoticeProps) {
  const { name, enabled, health, last_delivery_at, last_error, last_error_at } = integration;
  const { refused_count, refused_reason, refused_at } = integration;
  if (!enabled && warnings.length === 0) return null;
  return (
    <Paper component="section" withBorder bg="var(--surface-raised)" px="md" py="sm" aria-label={`${name} status`}>
      <Stack gap="sm">
        {enabled && (
          <Group gap="12px 40px" align="flex-start" renderRoot={(props) => <dl {...props} />} m={0}>
            <Fact term={account}>
              <HealthBadge health={health} />
            </Fact>
            <Fact term="Last delivery">
              {last_delivery_at === null ? 'None yet' : <Timestamp at={last_delivery_at} />}
            </Fact>
            {last_error_at !== null && (
              <Fact term="Last error">
                <Timestamp at={last_error_at} />{' '}
                <Text span c="var(--danger)">
                  {last_error}
                </Text>
              </Fact>
            )}
            {refused_at !== null && (
              <Fact term="Refused calls">
                {refused_count.toLocaleString('en-US')}, the last <Timestamp at={refused_at} />:{' '}
                <Text span c="var(--danger)">
                  {refused_reason}
                </Text>
              </Fact>
            )}
          </Group>
        )}
        <Warnings warnings={warnings} />
      </Stack>
    </Paper>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <Stack gap={4} miw={0}>
      <Text component="dt" c="dimmed" size="xs">
        {term}
      </Text>
      <Text component="dd">{children}</Text>
    </Stack>
  );
}

interface DisableDialogProps extends DialogControls {
  place: IntegrationKey;
  name: string;
  /** This replaces the general sentences about disabling. */
  removal: ReactNode;
  onDisabled: () => void;
}

function DisableDialog({ place, name, removal, opened, onDisabled, onClose }: DisableDialogProps) {
  const disable = useDisable(place);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Disable ${name}`}
      question={`Disable ${name}?`}
      detail={
        <>
          {removal || 'Nothing more will be posted. The saved credentials and channels will be deleted.'} Posted
          messages and the delivery log are kept.
        </>
      }
      confirmLabel="Disable"
      danger
      pending={disable.isPending}
      onConfirm={() =>
        disable.mutate(undefined, {
          onSuccess: () => {
            onDisabled();
            showSuccess('Disable Successfully');
          },
          onError: showFailure,
          onSettled: onClose,
        })
      }
    />
  );
}

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
      Connect it first, then choose what is posted, and where.
    </EmptyState>
  );
}

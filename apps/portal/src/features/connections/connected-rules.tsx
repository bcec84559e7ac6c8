import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ConnectedPreview, Connection } from '@steward/contract/connections';
import { CONNECTED_KINDS } from '@steward/contract/connections/fields';
import { describeCutoff } from '@steward/contract/retention/describe-rule';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { PreviewNotice } from '#platform/feedback/preview-notice.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { ApplyToAll, focusChoice, RuleFields, ScheduledNotice } from '#workspace/retention/rule-fields.tsx';
import { type RulesFormState, useRulesForm } from '#workspace/retention/rules.form.ts';
import { Impacts, RulesSheet } from '#workspace/retention/rules-sheet.tsx';
import classes from '#workspace/retention/setting.module.css';
import { type SavedRules, type Setting, toSetting } from '#workspace/retention/settings.ts';
import { type Saving, useSaving } from '#workspace/retention/use-save-rules.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { countThreads, describeFirstList } from './connection-text.ts';
import {
  connectedRulesQueryOptions,
  type Place,
  previewConnected,
  useSaveConnectedRules,
  useTeamZone,
} from './connections.queries.ts';
import { PreviewFacts, PreviewPanel } from './preview-panel.tsx';

export function ConnectedRules({ connection }: { connection: Connection }) {
  const { id: teamId } = useCurrentTeam();
  const place = { teamId, connectionId: connection.id };
  const { data, error, refetch } = useQuery(connectedRulesQueryOptions(place));
  if (data !== undefined) return <RulesForm connection={connection} place={place} saved={data} />;
  if (error !== null) return <PageError failure={error} onRetry={() => void refetch()} />;
  return <Skeletons rows={2} height={240} />;
}

interface FormProps {
  connection: Connection;
  place: Place;
  saved: SavedRules;
}

function RulesForm({ connection, place, saved }: FormProps) {
  // Users of the server delete their own messages there, so marking isn't offered.
  const settings = CONNECTED_KINDS.filter((kind) => saved[kind] !== undefined).map((kind) =>
    toSetting(kind, 'messages', false),
  );
  const form = useRulesForm(settings, saved);
  const saving = useSaving<ConnectedPreview>({
    ...{ settings, saved, form, saving: useSaveConnectedRules(place) },
    preview: (rules, signal) => previewConnected(place, rules, signal),
  });
  const zone = useTeamZone(place.teamId);
  const refusal = useRefusal(connection);
  return (
    <>
      {refusal !== undefined && <PreviewNotice>{refusal}</PreviewNotice>}
      <RulesSheet
        label="Rules"
        {...{ settings, saved, form, saving }}
        isReadOnly={refusal !== undefined}
        impacts={(impacts) => (
          <Impacts
            {...{ impacts, zone }}
            headline={({ preview: { rows, threads } }) =>
              rows === 0 ? 'No threads would be deleted now' : countThreads(rows, threads)
            }
            facts={(preview) => <PreviewFacts preview={preview} zone={zone} />}
            recovery="What it deletes there can't be restored."
          />
        )}
      >
        {settings.map((setting) => (
          <SettingSection
            key={setting.kind}
            {...{ place, settings, setting, saved, form, saving, zone }}
            isReadOnly={refusal !== undefined}
          />
        ))}
        {!connection.direct_messages && <NoDirectMessages />}
      </RulesSheet>
    </>
  );
}

/** Says why the rules can't be changed now; undefined if they can. */
function useRefusal(connection: Connection): string | undefined {
  const { roles } = useCurrentTeam();
  if (!roles.includes('team_owner')) return 'Only an owner of the team can change these rules.';
  if (connection.health !== 'filling' && connection.listed_at > 0) return undefined;
  return `Rules can be saved once all messages were listed. Until then everything is kept. ${describeFirstList(connection)}.`;
}

function NoDirectMessages() {
  return (
    <Text c="dimmed" maw={640}>
      Direct and group messages belong to no team of the server. This team doesn't govern them, so no rule here deletes
      them.
    </Text>
  );
}

interface SectionProps {
  place: Place;
  settings: readonly Setting[];
  setting: Setting;
  saved: SavedRules;
  form: RulesFormState;
  saving: Saving<ConnectedPreview>;
  zone: string | undefined;
  isReadOnly: boolean;
}

function SettingSection({ place, settings, setting, saved, form, saving, zone, isReadOnly }: SectionProps) {
  const id = useId();
  const { kind, title } = setting;
  const rule = saved[kind] ?? { value: 0 };
  return (
    <Paper component="section" withBorder className={classes.setting} aria-labelledby={id}>
      <Stack
        renderRoot={(props) => <fieldset disabled={isReadOnly} {...props} />}
        id={`choices-${kind}`}
        gap="md"
        m={0}
        bd={0}
        p={{ base: 'md', sm: 20 }}
        miw={0}
      >
        <Title order={2} id={id} fz="1rem">
          {title}
        </Title>
        {rule.unreadable && (
          <Text c="var(--warning)" fz="0.8125rem">
            {describeCutoff(kind, rule, null)}
          </Text>
        )}
        <RuleFields
          setting={setting}
          values={form.getValues(setting)}
          isUndecided={rule.unreadable === true && form.edits[kind] === undefined}
          error={form.getError(setting)}
          onEdit={(part) => form.edit(kind, part)}
        />
        <ScheduledNotice
          setting={setting}
          rule={rule}
          zone={zone}
          isCanceling={saving.canceling === kind}
          isDisabled={saving.isBusy}
          onCancel={() => saving.cancelChange(setting, () => focusChoice(setting))}
        />
        <ApplyToAll settings={settings} setting={setting} form={form} />
      </Stack>
      <PreviewPanel place={place} setting={setting} saved={rule} edited={form.getEdited(setting)} zone={zone} />
    </Paper>
  );
}

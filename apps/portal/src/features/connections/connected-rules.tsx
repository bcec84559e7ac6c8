import { Text } from '@mantine/core';
import type { ConnectedPreview, Connection } from '@steward/contract/connections';
import { CONNECTED_KINDS } from '@steward/contract/connections/fields';
import { useQuery } from '@tanstack/react-query';
import { PreviewNotice } from '#platform/feedback/preview-notice.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { ApplyToAll } from '#workspace/retention/rule-fields.tsx';
import { RuleSection } from '#workspace/retention/rule-section.tsx';
import { useRulesForm } from '#workspace/retention/rules.form.ts';
import { Impacts, RulesSheet } from '#workspace/retention/rules-sheet.tsx';
import { NO_RULE, type SavedRules, toSetting } from '#workspace/retention/settings.ts';
import { type Impact, useSaving } from '#workspace/retention/use-save-rules.ts';
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
    settings,
    saved,
    form,
    saving: useSaveConnectedRules(place),
    preview: (rules, signal) => previewConnected(place, rules, signal),
  });
  const zone = useTeamZone(place.teamId);
  const refusal = useRefusal(connection);
  return (
    <>
      {refusal !== undefined && <PreviewNotice>{refusal}</PreviewNotice>}
      <RulesSheet
        label="Rules"
        settings={settings}
        saved={saved}
        form={form}
        saving={saving}
        isReadOnly={refusal !== undefined}
        impacts={(impacts) => <ThreadImpacts impacts={impacts} zone={zone} />}
      >
        {settings.map((setting) => {
          const rule = saved[setting.kind] ?? NO_RULE;
          const edited = form.getEdited(setting);
          return (
            <RuleSection
              key={setting.kind}
              setting={setting}
              rule={rule}
              form={form}
              saving={saving}
              zone={zone}
              isReadOnly={refusal !== undefined}
              panel={<PreviewPanel place={place} setting={setting} saved={rule} edited={edited} zone={zone} />}
            >
              <ApplyToAll settings={settings} setting={setting} form={form} />
            </RuleSection>
          );
        })}
        {!connection.direct_messages && <NoDirectMessages />}
      </RulesSheet>
    </>
  );
}

function ThreadImpacts({ impacts, zone }: { impacts: readonly Impact<ConnectedPreview>[]; zone: string | undefined }) {
  return (
    <Impacts
      impacts={impacts}
      zone={zone}
      headline={({ preview: { rows, threads } }) =>
        rows === 0 ? 'No threads would be deleted now' : countThreads(rows, threads)
      }
      facts={(preview) => <PreviewFacts preview={preview} zone={zone} />}
      recovery="What it deletes there can't be restored."
    />
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

import { Paper, Stack } from '@mantine/core';
import type { Preview } from '@steward/contract/retention';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Facts, TeamTimestamp } from '#platform/page/facts.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { formatBytes, formatCount, formatDayIn, formatNumber } from '#platform/time/format.ts';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { NotFoundScreen } from '#workspace/page/not-found-screen.tsx';
import { ApplyToAll } from '#workspace/retention/rule-fields.tsx';
import { RuleSection } from '#workspace/retention/rule-section.tsx';
import { useRulesForm } from '#workspace/retention/rules.form.ts';
import { Impacts, RulesSheet } from '#workspace/retention/rules-sheet.tsx';
import classes from '#workspace/retention/setting.module.css';
import { NO_RULE, type SavedRules } from '#workspace/retention/settings.ts';
import { type Impact, useSaving } from '#workspace/retention/use-save-rules.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { AgeSkeleton } from '../foresight/age-chart.tsx';
import { NoDueItems } from '../foresight/due-items.tsx';
import { findGroup, type Group } from '../groups.ts';
import { RecoveryText } from '../recovery-time.tsx';
import {
  overviewQueryOptions,
  previewRules,
  rulesQueryOptions,
  useRefreshAfterRun,
  useSaveRules,
} from '../retention.queries.ts';
import { FactsPanel } from './facts-panel.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/{$group}_retention')({
  component: GroupPage,
});

function GroupPage() {
  const group = findGroup(Route.useParams().group);
  return group === undefined ? <NotFoundScreen /> : <GroupRules key={group.name} group={group} />;
}

function GroupRules({ group }: { group: Group }) {
  const { id: teamId } = useCurrentTeam();
  const { data, error, refetch } = useQuery(rulesQueryOptions(group, teamId));
  return (
    <Page
      title={group.title}
      description={group.stays === undefined ? group.description : `${group.description} ${group.stays}`}
      actions={<HistoryLink actions={['retention.saved']} />}
    >
      {data !== undefined && <GroupForm group={group} saved={data} teamId={teamId} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <GroupSkeleton group={group} />}
    </Page>
  );
}

interface GroupFormProps {
  group: Group;
  saved: SavedRules;
  teamId: string;
}

/** The settings of a group are saved together. */
function GroupForm({ group, saved, teamId }: GroupFormProps) {
  const form = useRulesForm(group.settings, saved);
  const saving = useSaving({
    settings: group.settings,
    saved,
    form,
    saving: useSaveRules(group, teamId),
    preview: (rules, signal) => previewRules(group, teamId, { rules, signal }),
  });
  const overview = useQuery(overviewQueryOptions(teamId)).data;
  const zone = overview?.time_zone;
  useRefreshAfterRun(overview?.kinds.map(({ running }) => running));
  return (
    <RulesSheet
      label={group.title}
      settings={group.settings}
      saved={saved}
      form={form}
      saving={saving}
      impacts={(impacts) => (
        <Impacts
          impacts={impacts}
          zone={zone}
          headline={getHeadline}
          facts={(preview) => <ImpactFacts preview={preview} zone={zone} />}
          stays={group.stays}
          recovery={<RecoveryText teamId={teamId} />}
        />
      )}
    >
      {group.settings.map((setting) => (
        <RuleSection
          key={setting.kind}
          setting={setting}
          rule={saved[setting.kind] ?? NO_RULE}
          form={form}
          saving={saving}
          zone={zone}
          panel={<FactsPanel group={group} setting={setting} teamId={teamId} edited={form.getEdited(setting)} />}
        >
          {group.name === 'message_retention' && <ApplyToAll settings={group.settings} setting={setting} form={form} />}
        </RuleSection>
      ))}
    </RulesSheet>
  );
}

function GroupSkeleton({ group }: { group: Group }) {
  return (
    <Stack gap="md" aria-busy="true">
      {group.settings.map(({ kind }) => (
        <Paper key={kind} withBorder className={classes.setting}>
          <Stack gap="md" p={20}>
            <Skeletons rows={1} height={22} width="9rem" />
            <Skeletons rows={3} height={18} width="19rem" />
          </Stack>
          <Stack gap="md" p={20}>
            <Skeletons rows={6} height={14} width="16rem" />
            <AgeSkeleton />
            <NoDueItems />
          </Stack>
        </Paper>
      ))}
    </Stack>
  );
}

function getHeadline({ setting, preview: { count, bytes } }: Impact<Preview>): string {
  const text = KIND_TEXT[setting.kind];
  return count === 0 ? `No ${text.many} would be deleted now` : `${formatCount(count, text)}, ${formatBytes(bytes)}`;
}

function ImpactFacts({
  preview: { oldest, newest, cutoff, held },
  zone,
}: {
  preview: Preview;
  zone: string | undefined;
}) {
  return (
    <Facts
      facts={[
        ['Everything before', cutoff === null ? null : formatDayIn(cutoff, zone ?? 'UTC')],
        ['Oldest', oldest === null ? null : <TeamTimestamp key="oldest" at={oldest} teamZone={zone} />],
        ['Kept by legal holds', held.count === 0 ? null : formatNumber(held.count)],
        ['Newest', newest === null ? null : <TeamTimestamp key="newest" at={newest} teamZone={zone} />],
      ]}
    />
  );
}

import { Paper, Stack, Text, Title } from '@mantine/core';
import type { Preview } from '@steward/contract/retention';
import { describeCutoff } from '@steward/contract/retention/describe-rule';
import type { SavedRule } from '@steward/contract/retention/fields';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { ApplyToAll, focusChoice, RuleFields, ScheduledNotice } from '#workspace/retention/rule-fields.tsx';
import type { RulesFormState } from '#workspace/retention/rules.form.ts';
import classes from '#workspace/retention/setting.module.css';
import type { Setting } from '#workspace/retention/settings.ts';
import type { Saving } from '#workspace/retention/use-save-rules.ts';
import type { Group } from '../groups.ts';
import { overviewQueryOptions } from '../retention.queries.ts';
import { FactsPanel } from './facts-panel.tsx';

interface SettingSectionProps {
  group: Group;
  setting: Setting;
  saved: SavedRule;
  teamId: string;
  form: RulesFormState;
  saving: Saving<Preview>;
}

export function SettingSection({ group, setting, saved, teamId, form, saving }: SettingSectionProps) {
  const id = useId();
  const zone = useQuery(overviewQueryOptions(teamId)).data?.time_zone;
  const { kind, title } = setting;
  return (
    <Paper component="section" withBorder className={classes.setting} aria-labelledby={id}>
      <Stack id={`choices-${kind}`} gap="md" p={{ base: 'md', sm: 20 }} miw={0}>
        <Title order={2} id={id} fz="1rem">
          {title}
        </Title>
        {saved.unreadable && (
          <Text c="var(--warning)" fz="0.8125rem">
            {describeCutoff(kind, saved, null)}
          </Text>
        )}
        <RuleFields
          setting={setting}
          values={form.getValues(setting)}
          isUndecided={saved.unreadable === true && form.edits[kind] === undefined}
          error={form.getError(setting)}
          onEdit={(part) => form.edit(kind, part)}
        />
        <ScheduledNotice
          setting={setting}
          rule={saved}
          zone={zone}
          isCanceling={saving.canceling === kind}
          isDisabled={saving.isBusy}
          onCancel={() => saving.cancelChange(setting, () => focusChoice(setting))}
        />
        {group.name === 'message_retention' && <ApplyToAll settings={group.settings} setting={setting} form={form} />}
      </Stack>
      <FactsPanel group={group} setting={setting} teamId={teamId} edited={form.getEdited(setting)} />
    </Paper>
  );
}

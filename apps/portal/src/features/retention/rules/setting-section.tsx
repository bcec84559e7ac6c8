import { Box, Group, Input, Paper, Radio, Stack, Text, Title } from '@mantine/core';
import { describeCutoff, describeRule, formatDuration, KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { type Duration, Period, type SavedRule } from '@steward/contract/retention/fields';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { SmallButton, TeamTimestamp } from '#platform/page/facts.tsx';
import { Icon } from '#platform/page/icon.tsx';
import type { Group as RuleGroup, Setting } from '../groups.ts';
import classes from '../retention.module.css';
import { overviewQueryOptions } from '../retention.queries.ts';
import { FactsPanel } from './facts-panel.tsx';
import {
  asksMarking,
  type GroupFormState,
  getCountError,
  getDurationPlacement,
  type RuleValues,
} from './group.form.ts';
import type { Saving } from './use-save-rules.ts';

interface SettingSectionProps {
  group: RuleGroup;
  setting: Setting;
  saved: SavedRule;
  teamId: string;
  form: GroupFormState;
  saving: Saving;
}

export function SettingSection({ group, setting, saved, teamId, form, saving }: SettingSectionProps) {
  const id = useId();
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
          teamId={teamId}
          isCanceling={saving.canceling === kind}
          isDisabled={saving.isBusy}
          onCancel={() => saving.cancelChange(setting, () => focusChoice(setting))}
        />
        <ApplyToAll group={group} setting={setting} form={form} />
      </Stack>
      <FactsPanel group={group} setting={setting} teamId={teamId} edited={form.getEdited(setting)} />
    </Paper>
  );
}

/** The notice is shown only if applying the duration would change another setting. */
function ApplyToAll({ group, setting, form }: Pick<SettingSectionProps, 'group' | 'setting' | 'form'>) {
  const { value, count, period } = form.getValues(setting);
  const others = group.settings.filter(({ kind }) => kind !== setting.kind);
  const isSame = others.every((other) => {
    const values = form.getValues(other);
    return values.value === '1' && values.count.trim() === count.trim() && values.period === period;
  });
  if (group.name !== 'message_retention' || value !== '1' || isSame || getCountError(count) !== undefined) return null;
  const apply = () => {
    for (const { kind } of others) form.edit(kind, { value: '1', count, period });
  };
  return (
    <SmallButton style={{ alignSelf: 'flex-start' }} onClick={apply}>
      Apply to all three message kinds
    </SmallButton>
  );
}

/** The notice disappears with its button, so the selected choice of the setting gets the focus. */
function focusChoice({ kind }: Setting): void {
  document.querySelector<HTMLInputElement>(`#choices-${kind} input:checked`)?.focus();
}

interface FieldsProps {
  setting: Setting;
  values: RuleValues;
  error: string | undefined;
  onEdit: (part: Partial<RuleValues>) => void;
}

/** The duration is below the choice that it belongs to. */
function RuleFields({ isUndecided, ...props }: FieldsProps & { isUndecided: boolean }) {
  const { setting, values, onEdit } = props;
  const { kind, keep, limit } = setting;
  const { many, event, items } = KIND_TEXT[kind];
  const place = getDurationPlacement(setting, values);
  return (
    <Stack gap={20}>
      <Choices
        label={`How long to keep ${items}`}
        value={isUndecided ? '' : values.value}
        onChange={(value) => onEdit({ value })}
      >
        <Radio value="0" label={keep} />
        <Radio value="1" label={limit} />
        {place === 'limit' && <DurationField {...props} hint={`Counted from when ${many} ${event}.`} />}
      </Choices>
      {asksMarking(setting, values) && (
        <Choices label={`Deleting ${many}`} value={values.canmark} onChange={(canmark) => onEdit({ canmark })}>
          <Radio value="0" label={`Users can't delete ${many}`} />
          <Radio
            value="1"
            label={`Users can mark ${many} deleted and they will be removed after`}
            {...(place === 'limit' && values.canmark === '1' && { description: describeMarking(many, values) })}
          />
          {place === 'mark' && <DurationField {...props} hint={`Counted from when ${many} are marked deleted.`} />}
        </Choices>
      )}
    </Stack>
  );
}

interface ChoicesProps {
  label: string;
  value: string;
  onChange: (value: '0' | '1') => void;
  children: ReactNode;
}

function Choices({ label, value, onChange, children }: ChoicesProps) {
  return (
    <Radio.Group label={label} value={value} onChange={(chosen) => onChange(chosen === '1' ? '1' : '0')}>
      <Stack gap="sm" pt={6}>
        {children}
      </Stack>
    </Radio.Group>
  );
}

/** If everything has a set duration, marking an item only hides it until then. */
function describeMarking(many: string, { count, period }: RuleValues): string {
  const text = `They're hidden immediately and permanently deleted with all other ${many}`;
  if (getCountError(count) !== undefined) return `${text}.`;
  return `${text}, ${formatDuration({ count: Number(count), period })} after they were created.`;
}

const PERIOD_LABELS: Record<Period, string> = { d: 'Days', m: 'Months', y: 'Years' };
const PERIODS = Period.options.map((value) => ({ value, label: PERIOD_LABELS[value] }));

/** The count is a text field, because a number field hides invalid input from the code. */
function DurationField({ setting, values, error, hint, onEdit }: FieldsProps & { hint: string }) {
  const id = useId();
  return (
    <Box
      component="fieldset"
      id={`duration-${setting.kind}`}
      m={0}
      p={0}
      ps={32}
      bd={0}
      miw={0}
      aria-label={`Duration for ${setting.title.toLowerCase()}`}
    >
      <Group gap="xs">
        <Input
          // Mantine would replace the description id below with its own.
          withAria={false}
          w="6.5rem"
          aria-label="Count"
          inputMode="numeric"
          autoComplete="off"
          required
          maxLength={40}
          value={values.count}
          error={error !== undefined}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? `${id}-hint` : `${id}-error ${id}-hint`}
          onChange={({ currentTarget: { value } }) => onEdit({ count: value })}
        />
        <PickOne
          label="Period"
          className={undefined}
          options={PERIODS}
          value={values.period}
          onPick={(period) => onEdit({ period })}
        />
      </Group>
      <Presets count={values.count} period={values.period} onPick={onEdit} />
      {error !== undefined && (
        <Text id={`${id}-error`} c="var(--danger)" fz="0.8125rem" mt={6} role="alert">
          {error}
        </Text>
      )}
      <Text id={`${id}-hint`} c="dimmed" fz="0.8125rem" mt={6}>
        {hint}
      </Text>
    </Box>
  );
}

export function focusCount({ kind }: Setting): void {
  document.querySelector<HTMLInputElement>(`#duration-${kind} input`)?.focus();
}

interface ScheduledNoticeProps {
  setting: Setting;
  rule: SavedRule;
  teamId: string;
  isCanceling: boolean;
  isDisabled: boolean;
  onCancel: () => void;
}

function ScheduledNotice({ setting, rule, teamId, ...button }: ScheduledNoticeProps) {
  const zone = useQuery(overviewQueryOptions(teamId)).data?.time_zone;
  const { kind, title } = setting;
  const { effective_at, in_force } = rule;
  if (effective_at === undefined || in_force === undefined) return null;
  return (
    <Paper p="sm" bg="var(--warning-soft)">
      <Group gap={10} wrap="nowrap" align="flex-start">
        <Text span c="var(--warning)" lh={1} flex="none">
          <Icon name="clock" />
        </Text>
        <Stack gap={10} align="flex-start" miw={0}>
          <Text>
            From <TeamTimestamp at={effective_at} teamZone={zone} />: {describeRule(kind, rule)} Until then:{' '}
            {describeRule(kind, in_force)}
          </Text>
          <SmallButton
            aria-label={`Cancel this change: ${title}`}
            loading={button.isCanceling}
            disabled={button.isDisabled}
            onClick={button.onCancel}
          >
            Cancel this change
          </SmallButton>
        </Stack>
      </Group>
    </Paper>
  );
}

/** Companies often keep content for these durations. */
const PRESETS: readonly Duration[] = [
  { count: 90, period: 'd' },
  { count: 1, period: 'y' },
  { count: 2, period: 'y' },
  { count: 7, period: 'y' },
];

interface PresetsProps {
  count: string;
  period: Duration['period'];
  onPick: (duration: { count: string; period: Duration['period'] }) => void;
}

function Presets({ count, period, onPick }: PresetsProps) {
  return (
    <Group gap={6} mt={8} role="group" aria-label="Common durations">
      {PRESETS.map((preset) => {
        const isChosen = count.trim() === String(preset.count) && period === preset.period;
        return (
          <SmallButton
            key={formatDuration(preset)}
            variant={isChosen ? 'light' : 'default'}
            aria-pressed={isChosen}
            onClick={() => onPick({ count: String(preset.count), period: preset.period })}
          >
            {formatDuration(preset)}
          </SmallButton>
        );
      })}
    </Group>
  );
}

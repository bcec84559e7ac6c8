import { Box, Group, Input, Paper, Radio, Stack, Text } from '@mantine/core';
import { describeRule, formatDuration, KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { type Duration, Period, type SavedRule } from '@steward/contract/retention/fields';
import { type ReactNode, useId } from 'react';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { SmallButton, TeamTimestamp } from '#platform/page/facts.tsx';
import { Icon } from '#platform/page/icon.tsx';
import {
  asksMarking,
  getCountError,
  getDurationPlacement,
  type RulesFormState,
  type RuleValues,
} from './rules.form.ts';
import type { Setting } from './settings.ts';

interface ApplyProps {
  settings: readonly Setting[];
  setting: Setting;
  form: RulesFormState;
}

/** The notice is shown only if applying the duration would change another setting. */
export function ApplyToAll({ settings, setting, form }: ApplyProps) {
  const { value, count, period } = form.getValues(setting);
  const others = settings.filter(({ kind }) => kind !== setting.kind);
  const isSame = others.every((other) => {
    const values = form.getValues(other);
    return values.value === '1' && values.count.trim() === count.trim() && values.period === period;
  });
  if (value !== '1' || isSame || getCountError(count) !== undefined) return null;
  const apply = () => {
    for (const { kind } of others) form.edit(kind, { value: '1', count, period });
  };
  return (
    <SmallButton style={{ alignSelf: 'flex-start' }} onClick={apply}>
      Apply to {settings.length === 2 ? 'both' : 'all three'} message kinds
    </SmallButton>
  );
}

/** The notice disappears with its button, so the selected choice of the setting gets the focus. */
export function focusChoice({ kind }: Setting): void {
  document.querySelector<HTMLInputElement>(`#choices-${kind} input:checked`)?.focus();
}

interface FieldsProps {
  setting: Setting;
  values: RuleValues;
  error: string | undefined;
  onEdit: (part: Partial<RuleValues>) => void;
}

/** The duration is below the choice that it belongs to. */
export function RuleFields({ isUndecided, ...props }: FieldsProps & { isUndecided: boolean }) {
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
  /** The team's zone; undefined while it is unknown. */
  zone: string | undefined;
  isCanceling: boolean;
  isDisabled: boolean;
  onCancel: () => void;
}

export function ScheduledNotice({ setting, rule, zone, ...button }: ScheduledNoticeProps) {
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

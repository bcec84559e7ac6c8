import { Paper, Stack, Text, Title } from '@mantine/core';
import { describeCutoff } from '@steward/contract/retention/describe-rule';
import type { SavedRule } from '@steward/contract/retention/fields';
import { type ReactNode, useId } from 'react';
import { focusChoice, RuleFields, ScheduledNotice } from './rule-fields.tsx';
import type { RulesFormState } from './rules.form.ts';
import classes from './setting.module.css';
import type { Setting } from './settings.ts';
import type { Saving } from './use-save-rules.ts';

interface RuleSectionProps<Preview> {
  setting: Setting;
  rule: SavedRule;
  form: RulesFormState;
  saving: Saving<Preview>;
  zone: string | undefined;
  isReadOnly?: boolean;
  /** Shown beside the fields, with what the rule deletes. */
  panel: ReactNode;
  /** Shown below the fields. */
  children?: ReactNode;
}

/** The rule of one kind of content. */
export function RuleSection<Preview>({ setting, rule, form, saving, zone, ...props }: RuleSectionProps<Preview>) {
  const id = useId();
  const { kind, title } = setting;
  return (
    <Paper component="section" withBorder className={classes.setting} aria-labelledby={id}>
      <Stack
        id={`choices-${kind}`}
        gap="md"
        p={{ base: 'md', sm: 20 }}
        miw={0}
        {...(props.isReadOnly && { renderRoot: (root) => <fieldset disabled {...root} />, m: 0, bd: 0 })}
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
        {props.children}
      </Stack>
      {props.panel}
    </Paper>
  );
}

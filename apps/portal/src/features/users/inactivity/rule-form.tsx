import { Checkbox, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { ActivitySource, ActivitySourceKind, Inactivity } from '@steward/contract/users/inactivity';
import { useState } from 'react';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { formatMoment } from '#platform/time/format.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { type RuleValues, toRule, toRuleValues, validateRule } from './rule.form.ts';

interface RuleFormProps {
  teamId: string;
  stored: Inactivity;
}

type Form = UseFormReturnType<RuleValues>;

/** The rule is saved as a whole, after its effect was shown. */
export function RuleForm({ teamId, stored }: RuleFormProps) {
  const form = useForm<RuleValues>({
    initialValues: toRuleValues(stored.rule),
    validate: (values) => validateRule(values, stored.sources),
  });
  const [isReviewing, setReviewing] = useState(false);
  const isUnsaved = form.isDirty();
  const leaving = useDiscardPrompt(isUnsaved);
  const review = form.onSubmit(
    () => setReviewing(true),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  );
  return (
    <form noValidate className={sheet.form} aria-label="Inactivity rule" onSubmit={review}>
      <section className={sheet.fields}>
        <Switch
          label="Deactivate members without activity"
          description="Members are warned by email, again 11 days later, and deactivated 14 days after the first warning. Nobody is deactivated unless the mail server accepted both warnings."
          {...form.getInputProps('is_on', { type: 'checkbox' })}
        />
        <TextInput
          label="Days without activity"
          description="After these days, a member gets the first warning."
          inputMode="numeric"
          autoComplete="off"
          styles={{ wrapper: { maxWidth: 240 } }}
          {...form.getInputProps('days')}
        />
      </section>
      <section className={sheet.fields}>
        <SourceField form={form} sources={stored.sources} />
      </section>
      <section className={sheet.fields}>
        <ExemptFields form={form} />
      </section>
      <SaveBar isUnsaved={isUnsaved} isBusy={false} failure={undefined} onReset={form.reset} />
      {isReviewing && (
        <ReviewDialog
          teamId={teamId}
          rule={toRule(form.values)}
          onClose={() => setReviewing(false)}
          onSaved={(rule) => {
            const next = toRuleValues(rule);
            form.setInitialValues(next);
            form.setValues(next);
            setReviewing(false);
          }}
        />
      )}
      <LeaveDialog leaving={leaving} onDiscard={form.reset} />
    </form>
  );
}

const SOURCES: readonly { kind: ActivitySourceKind; label: string; about: string }[] = [
  {
    kind: 'sso',
    label: 'Single sign-on of this team',
    about: 'For teams whose members sign in through the identity provider.',
  },
  {
    kind: 'reports',
    label: 'Reports by a service token',
    about: 'A service reports when members were active, with a token that speaks for users.',
  },
];

function SourceField({ form, sources }: { form: Form; sources: readonly ActivitySource[] }) {
  return (
    <Radio.Group
      label="Source of activity"
      description="Most members never open the portal, so the rule needs someone who knows when they were active. Use of the portal counts as well. While the source is silent for a day, nobody is warned or deactivated."
      {...form.getInputProps('source')}
    >
      <Stack gap="sm" pt={10}>
        {SOURCES.map(({ kind, label, about }) => (
          <Radio
            key={kind}
            value={kind}
            label={label}
            description={`${about} ${describeSource(sources.find((source) => source.kind === kind))}`}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function describeSource(source: ActivitySource | undefined): string {
  if (source === undefined) return 'Nothing was reported yet.';
  if (!source.is_on) return 'It is switched off.';
  const since = `Since ${formatMoment(source.began_at)}.`;
  return `Last report ${formatMoment(source.heard_at)}${source.is_silent ? ', more than a day ago' : ''}. ${since}`;
}

function ExemptFields({ form }: { form: Form }) {
  return (
    <Checkbox.Group
      label="Left out"
      description="Owners, integration users and the exceptions below are always left out."
      value={[...(form.values.skips_held ? ['held'] : []), ...(form.values.skips_provisioned ? ['provisioned'] : [])]}
      onChange={(chosen) => {
        form.setFieldValue('skips_held', chosen.includes('held'));
        form.setFieldValue('skips_provisioned', chosen.includes('provisioned'));
      }}
    >
      <Stack gap="sm" pt={10}>
        <Checkbox value="held" label="People whom a legal hold names" />
        <Checkbox
          value="provisioned"
          label="Members whom the identity provider manages"
          description="It deactivates them itself when they leave the company."
        />
      </Stack>
    </Checkbox.Group>
  );
}

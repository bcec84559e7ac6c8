import type { SavedRule } from '@steward/contract/retention/fields';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { getStored, overviewQueryOptions } from '../retention.queries.ts';
import type { Saving } from '../save/use-saving.ts';
import { WaitingNotice } from '../save/waiting-notice.tsx';
import { FactsPanel, type Fetched } from './facts-panel.tsx';
import classes from './group-form.module.css';
import type { Group, Setting } from './groups.ts';
import { RuleFields } from './rule-fields.tsx';
import type { GroupFormState } from './use-group-form.ts';

interface SettingSectionProps {
  group: Group;
  setting: Setting;
  saved: SavedRule;
  teamId: string;
  form: GroupFormState;
  saving: Saving;
}

/** Address of a setting's choices in the document. */
function fieldsId({ kind }: Setting): string {
  return `choices-of-${kind}`;
}

/** One setting: its choices, and beside them what they do. */
export function SettingSection({ group, setting, saved, teamId, form, saving }: SettingSectionProps) {
  const id = useId();
  const { kind, title } = setting;
  return (
    <section className={classes.setting} aria-labelledby={id}>
      <div id={fieldsId(setting)} className={classes.fields}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        <RuleFields
          setting={setting}
          values={form.getFormValues(setting)}
          isOpen={saved.unreadable === true && form.edits[kind] === undefined}
          fault={form.getError(setting)}
          onEdit={(part) => form.edit(kind, part)}
        />
      </div>
      <div className={classes.facts}>
        <WaitingNotice
          kind={kind}
          title={title}
          rule={saved}
          pending={saving.keeping === kind}
          disabled={saving.isBusy}
          onKeepPrevious={() => saving.restorePreviousRule(setting, () => focusChoice(setting))}
        />
        <FactsPanel {...useFacts({ group, setting, teamId })} />
      </div>
    </section>
  );
}

/** The notice goes away with its button; what it was about takes the focus. */
function focusChoice(setting: Setting): void {
  document.querySelector<HTMLInputElement>(`#${fieldsId(setting)} input:checked`)?.focus();
}

/** All settings of a screen share these calls. */
function useFacts({ group, setting: { kind }, teamId }: Pick<SettingSectionProps, 'group' | 'setting' | 'teamId'>) {
  const overview = useQuery(overviewQueryOptions(teamId));
  const kinds = group.settings.map((setting) => setting.kind);
  const counted = useQuery(getStored(teamId, kinds));
  const ofKind = overview.data?.kinds.find((one) => one.kind === kind);
  return {
    facts: {
      ...getPart(overview),
      data: overview.data && ofKind && { zone: overview.data.time_zone, nextRunAt: overview.data.next_run_at, ofKind },
    },
    stored: { ...getPart(counted), data: counted.data?.records.find((one) => one.kind === kind) },
  };
}

function getPart(query: { error: unknown; refetch: () => Promise<unknown> }): Omit<Fetched<never>, 'data'> {
  return { failed: query.error !== null, onRetry: () => void query.refetch() };
}

import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import { Radio } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatDuration, KIND_WORDS } from '../retention-text.ts';
import { DurationField } from './duration-field.tsx';
import type { Setting } from './groups.ts';
import { getCountError, getDurationPlacement, needsMarking, type RuleValues } from './retention.form.ts';
import classes from './rule-fields.module.css';

interface RuleFieldsProps {
  setting: Setting;
  values: RuleValues;
  /** Neither of the two is chosen: what is stored cannot be read, and nobody has decided yet. */
  isOpen: boolean;
  fault: string | undefined;
  onEdit: (part: Partial<RuleValues>) => void;
}

/** The choices of one setting; the duration stands under the choice that it belongs to (spec §4, §9). */
export function RuleFields({ setting, values, isOpen, fault, onEdit }: RuleFieldsProps) {
  const { all, keep, limit, since } = setting;
  const place = getDurationPlacement(setting, values);
  const { many } = KIND_WORDS[setting.kind];
  const duration = (hint: string) => (
    <DurationField setting={setting} values={values} fault={fault} hint={hint} onEdit={onEdit} />
  );
  return (
    <div className={classes.fields}>
      <Radio.Group
        label={`How long to keep ${all}`}
        value={isOpen ? '' : values.value}
        onChange={(value) => onEdit({ value: value === '1' ? '1' : '0' })}
      >
        <div className={classes.choices}>
          <Radio value="0" label={keep} />
          <Radio value="1" label={limit} />
          {place === 'limit' && <Below>{duration(since)}</Below>}
        </div>
      </Radio.Group>
      {needsMarking(setting, values) && (
        <Radio.Group
          label={`Deleting ${many}`}
          value={values.canmark}
          onChange={(canmark) => onEdit({ canmark: canmark === '1' ? '1' : '0' })}
        >
          <div className={classes.choices}>
            <Radio value="0" label={`Users can't delete ${many}`} />
            <Radio
              value="1"
              label={`Users can mark ${many} deleted and they will be removed after`}
              {...(place === 'limit' && values.canmark === '1' && { description: formatWithOthers(many, values) })}
            />
            {place === 'mark' && <Below>{duration('Counted from when it was marked deleted.')}</Below>}
          </div>
        </Radio.Group>
      )}
    </div>
  );
}

/** Where everything has a duration there is but one: a mark hides at once and changes nothing else. */
function formatWithOthers(many: string, { count, period }: RuleValues): string {
  const removed = `They disappear at once and are removed with all other ${many}`;
  if (getCountError(count) !== undefined) return `${removed}.`;
  return `${removed}, ${formatDuration({ count: Number(count), period })} after they were created.`;
}

function Below({ children }: { children: ReactNode }) {
  return <div className={classes.below}>{children}</div>;
}

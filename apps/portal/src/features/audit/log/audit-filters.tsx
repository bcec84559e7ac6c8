import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { AuditRecord } from '@steward/contract/audit';
import {
  AUDIT_ROOMS,
  type AuditRoom,
  auditActionsIn,
  auditWords,
  parseAuditActions,
} from '@steward/contract/audit/catalogue';
import { type Ref, useState } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import classes from '../audit.module.css';
import { type AuditSearch, withFilter } from './audit-search.ts';
import { getTarget } from './audit-text.ts';
import { PersonFilter } from './person-filter.tsx';

interface AuditFiltersProps {
  ref: Ref<HTMLFieldSetElement>;
  teamId: string;
  search: AuditSearch;
  /** The first line that fits: it knows what the ids in the address are called. */
  first: AuditRecord | undefined;
  onChange: (search: AuditSearch) => void;
}

/** Who, what, and on which days; each takes effect at once and stands in the address. */
export function AuditFilters({ ref, teamId, search, first, onChange }: AuditFiltersProps) {
  const set = (name: keyof AuditSearch) => (value: string) => onChange(withFilter(search, name, value));
  return (
    <fieldset ref={ref} className={classes.filters} aria-label="Filters" tabIndex={-1}>
      <PersonFilter
        teamId={teamId}
        actor={search.actor ?? ''}
        knownName={first?.actor?.id === search.actor ? first?.actor?.name : undefined}
        onPick={set('actor')}
      />
      <ActionFilter action={search.action ?? ''} onPick={set('action')} />
      <DayFilter label="From" day={search.from ?? ''} onPick={set('from')} />
      <DayFilter label="To" day={search.to ?? ''} onPick={set('to')} />
      {search.target !== undefined && (
        <Button
          variant="default"
          className={classes.chip ?? ''}
          rightSection={<Icon name="close" size={14} />}
          aria-label="Show changes to everything"
          onClick={() => set('target')('')}
        >
          Target:&nbsp;<bdi>{first === undefined ? search.target : getTarget(first).name}</bdi>
        </Button>
      )}
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" onClick={() => onChange({})}>
          Reset
        </Button>
      )}
    </fieldset>
  );
}

interface Option {
  value: string;
  label: string;
}

const EVERYTHING: Option = { value: '', label: 'Everything' };
const GROUPS = (Object.keys(AUDIT_ROOMS) as AuditRoom[]).map((room) => {
  const actions = auditActionsIn(room).map((action) => ({ value: action, label: auditWords(action)?.words ?? action }));
  const all = { value: room, label: `All of ${AUDIT_ROOMS[room]}` };
  return { group: AUDIT_ROOMS[room], items: actions.length > 1 ? [all, ...actions] : actions };
});

function ActionFilter({ action, onPick }: { action: string; onPick: (action: string) => void }) {
  const isOffered = action === '' || GROUPS.some(({ items }) => items.some(({ value }) => value === action));
  const several = { value: action, label: `${parseAuditActions(action)?.length ?? 0} kinds of change` };
  return (
    <NativeSelect
      className={classes.action ?? ''}
      aria-label="What was done"
      data={[EVERYTHING, ...(isOffered ? [] : [several]), ...GROUPS]}
      value={action}
      rightSection={<Icon name="chevron" size={16} />}
      rightSectionPointerEvents="none"
      onChange={({ currentTarget }) => onPick(currentTarget.value)}
    />
  );
}

/** A day; while it is being typed, browsers tell of years such as 0002, which nobody means. */
function DayFilter({ label, day, onPick }: { label: 'From' | 'To'; day: string; onPick: (day: string) => void }) {
  const [typed, setTyped] = useState({ of: day, text: day });
  const text = typed.of === day ? typed.text : day;
  return (
    <TextInput
      className={classes.day ?? ''}
      type="date"
      aria-label={label === 'From' ? 'From this day on' : 'Up to this day'}
      min="2000-01-01"
      max="2999-12-31"
      leftSection={
        <span aria-hidden="true" className={classes.label}>
          {label}
        </span>
      }
      leftSectionWidth={50}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        const isDone = value === '' || value >= '2000';
        setTyped({ of: isDone ? value : day, text: value });
        if (isDone && value !== day) onPick(value);
      }}
    />
  );
}

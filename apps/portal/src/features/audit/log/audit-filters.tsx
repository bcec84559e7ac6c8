import '@mantine/core/styles/Text.layer.css';
import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import type { AuditRecord } from '@steward/contract/audit';
import {
  AUDIT_AREAS,
  type AuditArea,
  findAuditAction,
  listAuditActions,
  parseAuditActions,
} from '@steward/contract/audit/catalog';
import { type Ref, useState } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import classes from '../audit.module.css';
import { getTarget } from '../text/audit-text.ts';
import { type AuditSearch, withFilter } from './audit-search.ts';
import { PersonFilter } from './person-filter.tsx';

interface AuditFiltersProps {
  ref: Ref<HTMLFieldSetElement>;
  teamId: string;
  search: AuditSearch;
  /** The first matching row, which has the names of the ids in the address. */
  first: AuditRecord | undefined;
  onChange: (search: AuditSearch) => void;
}

/** Filters by who, what and date; each applies immediately and is part of the address. */
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
          maw="20rem"
          fw={400}
          rightSection={<Icon name="close" size={14} />}
          aria-label="Remove the target filter"
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

const EVERYTHING: Option = { value: '', label: 'All actions' };
const GROUPS = (Object.keys(AUDIT_AREAS) as AuditArea[]).map((area) => {
  const actions = listAuditActions(area).map((action) => ({
    value: action,
    label: findAuditAction(action)?.label ?? action,
  }));
  const all = { value: area, label: `All in ${AUDIT_AREAS[area]}` };
  return { group: AUDIT_AREAS[area], items: actions.length > 1 ? [all, ...actions] : actions };
});

function ActionFilter({ action, onPick }: { action: string; onPick: (action: string) => void }) {
  const isOffered = action === '' || GROUPS.some(({ items }) => items.some(({ value }) => value === action));
  const several = { value: action, label: `${parseAuditActions(action)?.length ?? 0} actions` };
  return (
    <NativeSelect
      w="13.5rem"
      aria-label="Action"
      data={[EVERYTHING, ...(isOffered ? [] : [several]), ...GROUPS]}
      value={action}
      rightSection={<Icon name="chevron" size={16} />}
      rightSectionPointerEvents="none"
      onChange={({ currentTarget }) => onPick(currentTarget.value)}
    />
  );
}

/** A date. While the year is typed, browsers report years such as 0002, which are ignored. */
function DayFilter({ label, day, onPick }: { label: 'From' | 'To'; day: string; onPick: (day: string) => void }) {
  const [typed, setTyped] = useState({ of: day, text: day });
  const text = typed.of === day ? typed.text : day;
  return (
    <TextInput
      w="10.75rem"
      miw={0}
      type="date"
      aria-label={label === 'From' ? 'From date' : 'To date'}
      min="2000-01-01"
      max="2999-12-31"
      leftSection={
        <Text span aria-hidden="true" w="100%" ps={12} c="dimmed" fz="0.8125rem">
          {label}
        </Text>
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

import { Button, NativeSelect } from '@mantine/core';
import type { AuditRecord } from '@steward/contract/audit';
import {
  AUDIT_AREAS,
  type AuditArea,
  findAuditAction,
  listAuditActions,
  parseAuditActions,
} from '@steward/contract/audit/catalog';
import type { Ref } from 'react';
import { DayFilter } from '#platform/filters/day-filter.tsx';
import { ListFilters } from '#platform/filters/list-filters.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { UserPicker } from '#workspace/users/user-picker.tsx';
import { type AuditSearch, withFilter } from './audit-search.ts';
import { getTarget } from './audit-text.ts';

interface AuditFiltersProps {
  ref: Ref<HTMLFieldSetElement>;
  teamId: string;
  search: AuditSearch;
  /** The first matching row resolves the ids of the address to names. */
  first: AuditRecord | undefined;
  onChange: (search: AuditSearch) => void;
}

/** Each filter applies immediately and is part of the address. */
export function AuditFilters({ ref, teamId, search, first, onChange }: AuditFiltersProps) {
  const set = (name: keyof AuditSearch) => (value: string) => onChange(withFilter(search, name, value));
  return (
    <ListFilters ref={ref}>
      <UserPicker
        teamId={teamId}
        label="Who"
        userId={search.actor ?? ''}
        knownName={first?.actor?.id === search.actor ? first?.actor?.name : undefined}
        system={SYSTEM}
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
    </ListFilters>
  );
}

const SYSTEM = { value: 'none', label: 'System and services' };

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
      onChange={({ currentTarget }) => onPick(currentTarget.value)}
    />
  );
}

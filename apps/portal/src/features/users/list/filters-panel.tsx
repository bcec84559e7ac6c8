import { ActionIcon, Button, Checkbox, Group, NativeSelect, Popover, Stack, Text, TextInput } from '@mantine/core';
import { ENDING_SOON_DAYS } from '@steward/contract/api/limits';
import type { SortOrder, UserSort } from '@steward/contract/users';
import { type FormEvent, useId, useState } from 'react';
import { MenuAnchor } from '#platform/dialogs/menu-anchor.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { useSignedInUser } from '#workspace/session/session-state.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import {
  countFilters,
  FILTERS,
  OLD_INVITATION_DAYS,
  type UsersSearch,
  withActivity,
  withEndingSoon,
  withFilter,
  withOldInvitations,
  withOrder,
} from './filters.ts';
import {
  cleanName,
  getSavedViews,
  isShown,
  readViews,
  type SavedView,
  toView,
  VIEW_NAME_MAX,
  VIEWS_MAX,
  withoutView,
  withView,
} from './saved-views.ts';

interface FiltersPanelProps {
  search: UsersSearch;
  onChange: (search: UsersSearch) => void;
  onReset: () => void;
  onClose: () => void;
}

const INACTIVE_DAYS = [30, 90, 180, 365];
const ACTIVE_DAYS = [7, 30, 90];

const ORDERS: Record<`${UserSort} ${SortOrder}`, string> = {
  'name asc': 'Name, A to Z',
  'name desc': 'Name, Z to A',
  'last_active desc': 'Last active, newest first',
  'last_active asc': 'Last active, oldest first',
  'joined desc': 'Joined, newest first',
  'joined asc': 'Joined, oldest first',
  'end asc': 'End date, soonest first',
  'end desc': 'End date, latest first',
};

export function FiltersPanel({ search, onChange, onReset, onClose }: FiltersPanelProps) {
  return (
    <Popover opened onChange={(opened) => !opened && onClose()} position="bottom-start" width={300} trapFocus>
      <Popover.Target>
        <MenuAnchor />
      </Popover.Target>
      <Popover.Dropdown aria-label="Filters">
        <Stack gap={12}>
          {FILTERS.map(({ name, label }) => (
            <Checkbox
              key={name}
              label={label}
              checked={search[name] === 1}
              onChange={(event) => onChange(withFilter(search, name, event.currentTarget.checked))}
              {...(name === 'deactivated_accounts' && { pt: 12, style: { borderTop: '1px solid var(--hairline)' } })}
            />
          ))}
          <Checkbox
            label="Ending soon"
            description={`Access ends in the next ${search.ending_days ?? ENDING_SOON_DAYS} days`}
            checked={search.ending_days !== undefined}
            onChange={(event) => onChange(withEndingSoon(search, event.currentTarget.checked))}
          />
          <Checkbox
            label="Old invitations"
            description={`Sent at least ${search.invited_days ?? OLD_INVITATION_DAYS} days ago`}
            checked={search.invited_days !== undefined}
            onChange={(event) => onChange(withOldInvitations(search, event.currentTarget.checked))}
          />
          <ActivitySelect
            search={search}
            onChange={onChange}
            name="inactive_days"
            label="Inactive for"
            offered={INACTIVE_DAYS}
          />
          <ActivitySelect
            search={search}
            onChange={onChange}
            name="active_days"
            label="Active within"
            offered={ACTIVE_DAYS}
          />
          <OrderSelect search={search} onChange={onChange} />
        </Stack>
        <Group justify="flex-end" mt={12}>
          <Button variant="subtle" size="compact-sm" disabled={countFilters(search) === 0} onClick={onReset}>
            Reset
          </Button>
        </Group>
        <SavedViews search={search} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  );
}

type SelectProps = Pick<FiltersPanelProps, 'search' | 'onChange'>;

interface ActivitySelectProps extends SelectProps {
  name: 'inactive_days' | 'active_days';
  label: string;
  offered: readonly number[];
}

function ActivitySelect({ search, onChange, name, label, offered }: ActivitySelectProps) {
  const days = search[name] ?? 0;
  const all = [...new Set([...offered, days])].filter((each) => each > 0).sort((a, b) => a - b);
  return (
    <NativeSelect
      label={label}
      value={days}
      onChange={(event) => onChange(withActivity(search, name, Number(event.currentTarget.value)))}
      data={[
        { value: '0', label: 'Any time' },
        ...all.map((each) => ({ value: String(each), label: each === 1 ? '1 day' : `${each} days` })),
      ]}
    />
  );
}

/** A phone has no column headers to sort by. */
function OrderSelect({ search, onChange }: SelectProps) {
  return (
    <NativeSelect
      label="Sort by"
      value={`${search.sort ?? 'name'} ${search.order ?? 'asc'}`}
      onChange={(event) => {
        const [sort, order] = event.currentTarget.value.split(' ') as [UserSort, SortOrder];
        onChange(withOrder(search, { sort, order }));
      }}
      data={Object.entries(ORDERS)
        .filter(([value]) => search.ending_days !== undefined || !value.startsWith('end'))
        .map(([value, label]) => ({ value, label }))}
    />
  );
}

interface SavedViewsProps {
  search: UsersSearch;
  onChange: (search: UsersSearch) => void;
}

/** The views are saved in this browser. */
function SavedViews({ search, onChange }: SavedViewsProps) {
  const id = useId();
  const [views, save] = useViews();
  const show = (view: SavedView) =>
    onChange({ ...(search.search !== undefined && { search: search.search }), ...view.search });
  return (
    <Stack
      gap={8}
      pt={12}
      mt={12}
      style={{ borderTop: '1px solid var(--hairline)' }}
      renderRoot={(props) => <section {...props} />}
      aria-labelledby={id}
    >
      <Text component="h2" id={id} fz={13} fw={600}>
        Saved views
      </Text>
      {views.map((view) => (
        <Group key={view.name} gap={4} wrap="nowrap">
          <Button
            {...(isShown(view, search) ? { variant: 'light' } : { variant: 'subtle', color: 'gray' })}
            size="compact-sm"
            justify="start"
            flex={1}
            miw={0}
            aria-pressed={isShown(view, search)}
            onClick={() => show(view)}
          >
            {view.name}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={`Delete view ${view.name}`}
            onClick={() => save(withoutView(views, view.name))}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </Group>
      ))}
      <SaveView isFull={views.length >= VIEWS_MAX} onSave={(name) => save(withView(views, toView(name, search)))} />
    </Stack>
  );
}

function SaveView({ isFull, onSave }: { isFull: boolean; onSave: (name: string) => void }) {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (cleanName(name) === '' || isFull) return;
    onSave(name);
    setName('');
  };
  if (isFull) return <Text fz={13}>Delete a view to save another one.</Text>;
  return (
    <Group renderRoot={(props) => <form {...props} onSubmit={submit} />} gap={8} wrap="nowrap">
      <TextInput
        flex={1}
        size="xs"
        aria-label="Name of this view"
        placeholder="Name these filters"
        maxLength={VIEW_NAME_MAX}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="default" disabled={cleanName(name) === ''}>
        Save view
      </Button>
    </Group>
  );
}

function useViews(): [SavedView[], (views: SavedView[]) => void] {
  const { id: userId } = useSignedInUser();
  const { id: teamId } = useCurrentTeam();
  const kept = getSavedViews(teamId, userId);
  const [views, setViews] = useState(() => readViews(kept.read()));
  const save = (changed: SavedView[]) => {
    kept.write(JSON.stringify(changed));
    setViews(changed);
  };
  return [views, save];
}

import { Button, Checkbox, Group, NativeSelect, Popover, Stack } from '@mantine/core';
import type { SortOrder, UserSort } from '@steward/contract/users';
import { MenuAnchor } from '#platform/dialogs/menu-anchor.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { countFilters, FILTERS, type UsersSearch, withFilter, withInactive, withOrder } from './filters.ts';
import { SavedViews } from './saved-views.tsx';

interface FiltersPanelProps {
  search: UsersSearch;
  onChange: (search: UsersSearch) => void;
  onReset: () => void;
  onClose: () => void;
}

const INACTIVE_DAYS = [30, 90, 180, 365];

const ORDERS: Record<`${UserSort} ${SortOrder}`, string> = {
  'name asc': 'Name, A to Z',
  'name desc': 'Name, Z to A',
  'last_active desc': 'Last active, newest first',
  'last_active asc': 'Last active, oldest first',
  'joined desc': 'Joined, newest first',
  'joined asc': 'Joined, oldest first',
};

/** The open panel of the filters, below their button. */
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
          <InactiveSelect {...{ search, onChange }} />
          <OrderSelect {...{ search, onChange }} />
        </Stack>
        <Group justify="flex-end" mt={12}>
          <Button variant="subtle" size="compact-sm" disabled={countFilters(search) === 0} onClick={onReset}>
            Reset
          </Button>
        </Group>
        <SavedViews {...{ search, onChange }} />
      </Popover.Dropdown>
    </Popover>
  );
}

type SelectProps = Pick<FiltersPanelProps, 'search' | 'onChange'>;

function InactiveSelect({ search, onChange }: SelectProps) {
  const days = search.inactive_days ?? 0;
  const offered = [...new Set([...INACTIVE_DAYS, days])].filter((each) => each > 0).sort((a, b) => a - b);
  return (
    <NativeSelect
      label="Inactive for"
      value={days}
      rightSection={<Icon name="chevron" size={16} />}
      rightSectionPointerEvents="none"
      onChange={(event) => onChange(withInactive(search, Number(event.currentTarget.value)))}
      data={[
        { value: '0', label: 'Any time' },
        ...offered.map((each) => ({ value: String(each), label: each === 1 ? '1 day' : `${each} days` })),
      ]}
    />
  );
}

/** On a phone there are no column headers to sort by. */
function OrderSelect({ search, onChange }: SelectProps) {
  return (
    <NativeSelect
      label="Sort by"
      value={`${search.sort ?? 'name'} ${search.order ?? 'asc'}`}
      rightSection={<Icon name="chevron" size={16} />}
      rightSectionPointerEvents="none"
      onChange={(event) => {
        const [sort, order] = event.currentTarget.value.split(' ') as [UserSort, SortOrder];
        onChange(withOrder(search, { sort, order }));
      }}
      data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
    />
  );
}

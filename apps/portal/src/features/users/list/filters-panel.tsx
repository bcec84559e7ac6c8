import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Group.layer.css';
import '@mantine/core/styles/Stack.layer.css';
import { Button, Checkbox, Group, Popover, Stack } from '@mantine/core';
import { MenuAnchor } from '#platform/dialogs/menu-anchor.tsx';
import { countFilters, FILTERS, type UsersSearch, withFilter } from './filters.ts';

interface FiltersPanelProps {
  search: UsersSearch;
  onChange: (search: UsersSearch) => void;
  onReset: () => void;
  onClose: () => void;
}

/** The open panel of the filters, below their button. */
export function FiltersPanel({ search, onChange, onReset, onClose }: FiltersPanelProps) {
  return (
    <Popover opened onChange={(opened) => !opened && onClose()} position="bottom-start" width={260} trapFocus>
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
        </Stack>
        <Group justify="flex-end" mt={12}>
          <Button variant="subtle" size="compact-sm" disabled={countFilters(search) === 0} onClick={onReset}>
            Reset
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Checkbox, Popover } from '@mantine/core';
import { countFilters, FILTERS, type UsersSearch, withFilter } from './filters.ts';
import classes from './user-filters.module.css';

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
        <span className={classes.anchor} aria-hidden="true" />
      </Popover.Target>
      <Popover.Dropdown aria-label="Filters">
        <div className={classes.choices}>
          {FILTERS.map(({ name, label }) => (
            <Checkbox
              key={name}
              label={label}
              checked={search[name] === 1}
              onChange={(event) => onChange(withFilter(search, name, event.currentTarget.checked))}
              classNames={name === 'deactivated_accounts' ? { root: classes.apart ?? '' } : {}}
            />
          ))}
        </div>
        <div className={classes.foot}>
          <Button variant="subtle" size="compact-sm" disabled={countFilters(search) === 0} onClick={onReset}>
            Reset
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

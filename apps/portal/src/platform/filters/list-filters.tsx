import type { ReactNode, Ref } from 'react';
import classes from './list-filters.module.css';

/** The filters are one line that scrolls on a phone, so that the list starts near the top. The `ref` can take the focus. */
export function ListFilters({ ref, children }: { ref: Ref<HTMLFieldSetElement>; children: ReactNode }) {
  return (
    <fieldset ref={ref} className={classes.filters} aria-label="Filters" tabIndex={-1}>
      {children}
    </fieldset>
  );
}

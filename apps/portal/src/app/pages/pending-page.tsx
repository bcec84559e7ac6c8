import { Skeletons } from '#platform/page/page.tsx';
import classes from './pending.module.css';

/** Stands where a screen will be while its code is still on the way: a title, a sentence, then the thing itself. */
export function PendingPage() {
  return (
    <div className={classes.page} aria-busy="true">
      <Skeletons rows={1} height={26} width="180px" />
      <Skeletons rows={1} height={16} width="420px" />
      <Skeletons rows={1} height={36} width="420px" />
      <Skeletons rows={6} height={48} />
    </div>
  );
}

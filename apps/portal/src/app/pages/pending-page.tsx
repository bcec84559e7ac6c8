import classes from '#platform/page/page.module.css';
import { Skeletons } from '#platform/page/page.tsx';

/** Shown while the code of a screen loads: bars for a title, a sentence, the controls and the content. */
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
